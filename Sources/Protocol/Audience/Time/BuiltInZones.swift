// Written by scripts/audience-tables from IANA's time zone database 2026f, as in PyPI's tzdata 2026.6
// (public domain).

/// Time zones for systems without a database of them, with their changes since 2010, as text for ``BuiltInZone``.
enum BuiltInZones {
    /// A row has three parts. The rule that holds from the last change on, as in POSIX's variable `TZ`; the offsets from
    /// UTC before it, in minutes, and between two of them the minutes from 1970 or the last change to the next; and the
    /// names of zones. A name after `=` is another one of the zone before it.
    static let text = """
        <+00>0<+02>-2,M3.5.0/1,M10.5.0/3||Antarctica/Troll
        <+00>0|0 21212640 60 141060 0 342780 60 171300 0 393300 60 118080 0 44640 60 59040 0 302400 60 100800 0 \
        48960 60 112320 0 221760 60 129600 0 50400 60 122400 0 221760 60 110880 0 50400 60 141120 0 221760 60 \
        100800 0 50400 60 161280 0 211680 60 80640 0 60480 60 171360 0 211680 60 70560 0 50400 60 191520 60 \
        272160 0 50400 60 453600 0 60480 60 453600 0 50400 60 453600 0 60480 60 453600 0 50400 60 463680 0 50400 \
        60 453600 0 60480 60 453600 0 50400 60 262020 0|Africa/Casablanca Africa/El_Aaiun
        <+01>-1||Etc/GMT-1
        <+02>-2||Etc/GMT-2
        <+0330>-3:30|210 21153390 270 264900 210 260700 270 264900 210 260700 270 264900 210 262140 270 264900 \
        210 260700 270 264900 210 260700 270 264900 210 260700 270 264900 210 262140 270 264900 210 260700 270 \
        264900 210 260700 270 264900 210 260700 270 264900 210 262140 270 264900 210 260700 270 264900 \
        210|Asia/Tehran
        <+03>-3||Asia/Baghdad Asia/Bahrain =Asia/Qatar Antarctica/Syowa =Asia/Aden =Asia/Kuwait =Asia/Riyadh \
        Etc/GMT-3
        <+03>-3|120 21159240 180 312480 120 221760 180 302400 120 221760 180 907140 120 141180 180 312480 120 \
        211680 180 312480 120 221760 180 302400 120 221760 180 302400 120 221760 180 302400 120 221760 180 \
        302400 120 221760 180 312480 120 211680 180 312480 120 171360 180 352800 180|Asia/Amman
        <+03>-3|120 21162240 180 312480 120 211680 180|Europe/Minsk
        <+03>-3|120 21162300 180 312480 120 213120 180 311040 120 211680 180 312480 120 221760 180 302400 120 \
        223200 180 300960 120 221760 180 322560 120 201600 180 235920 180|Asia/Istanbul =Europe/Istanbul
        <+03>-3|120 21169320 180 302340 120 221820 180 302340 120 221820 180 302340 120 221820 180 302340 120 \
        221820 180 312420 120 211740 180 312420 120 211740 180 312420 120 221820 180 302340 120 221820 180 \
        302340 120 221820 180 302340 120 221820 180 312420 120 211740 180 312420 120 211740 180 312420 \
        180|Asia/Damascus
        <+0430>-4:30||Asia/Kabul
        <+04>-4||Asia/Dubai =Asia/Muscat =Indian/Mahe =Indian/Reunion Asia/Tbilisi Etc/GMT-4 Indian/Mauritius
        <+04>-4|180 21162180 240 312480 180 211680 240 1884900 180 1108860 240|Europe/Saratov
        <+04>-4|180 21162180 240 312480 180 211680 240 1884900 180 745980 240|Europe/Astrakhan Europe/Ulyanovsk
        <+04>-4|240 21162120 240 312540 180 211680 240|Europe/Samara
        <+04>-4|240 21162120 300 312480 240 211680 300 312480 240|Asia/Yerevan
        <+04>-4|240 21162240 300 312480 240 211680 300 312480 240 211680 300 312480 240 221760 300 302400 240 \
        221760 300 302400 240 221760 300 302400 240|Asia/Baku
        <+0530>-5:30||Asia/Colombo
        <+0545>-5:45||Asia/Kathmandu =Asia/Katmandu
        <+05>-5||Antarctica/Mawson Asia/Aqtau Asia/Aqtobe Asia/Ashgabat =Asia/Ashkhabad Asia/Atyrau \
        Asia/Dushanbe Asia/Oral Asia/Samarkand Asia/Tashkent Etc/GMT-5 Indian/Kerguelen =Indian/Maldives
        <+05>-5|300 21162060 360 312480 300 211680 360 1884900 300|Asia/Yekaterinburg
        <+05>-5|360 25755480 300|Asia/Qyzylorda
        <+05>-5|360 28487160 300|Asia/Almaty Asia/Qostanay
        <+05>-5|420 28380660 300|Antarctica/Vostok
        <+0630>-6:30||Asia/Rangoon =Asia/Yangon =Indian/Cocos
        <+06>-6||Asia/Bishkek Asia/Dacca =Asia/Dhaka Asia/Thimbu =Asia/Thimphu Asia/Kashgar =Asia/Urumqi \
        Etc/GMT-6 Indian/Chagos
        <+06>-6|360 21162000 420 312480 360 211680 420 1884900 360|Asia/Omsk
        <+07>-7||Asia/Bangkok =Asia/Phnom_Penh =Asia/Vientiane =Indian/Christmas Asia/Ho_Chi_Minh =Asia/Saigon \
        Etc/GMT-7
        <+07>-7|300 21137520 420 858180 300 168540 420|Antarctica/Davis
        <+07>-7|360 21162000 420 312480 360 211680 420 1884900 360 745980 420|Asia/Barnaul
        <+07>-7|360 21162000 420 312480 360 211680 420 1884900 360 836700 420|Asia/Tomsk
        <+07>-7|360 21162000 420 312480 360 211680 420 1884900 360 917340 420|Asia/Novosibirsk
        <+07>-7|420 21161940 420 312540 360 211680 420|Asia/Novokuznetsk
        <+07>-7|420 21161940 480 312480 420 211680 480 1884900 420|Asia/Krasnoyarsk
        <+07>-7|420 23791380 480 261900 420 262260 480 261900 420|Asia/Hovd
        <+0845>-8:45||Australia/Eucla
        <+08>-8||Asia/Brunei =Asia/Kuching Asia/Kuala_Lumpur =Asia/Singapore Etc/GMT-8
        <+08>-8|480 21161880 540 312480 480 211680 540 1884900 480|Asia/Irkutsk
        <+08>-8|480 23791320 540 261900 480 262260 540 261900 480|Asia/Choibalsan =Asia/Ulaanbaatar \
        =Asia/Ulan_Bator
        <+08>-8|660 21128580 480 867060 660 168420 480 2453700 660 727260 480 302580 660 231600 480 289620 660 \
        224460 480 302401 660 231659 480 292501 660 231659 480 292501 660 227519 480|Antarctica/Casey
        <+09>-9||Asia/Dili Etc/GMT-9 Pacific/Palau
        <+09>-9|540 21161820 600 312480 540 211680 600 1884900 480 746040 540|Asia/Chita
        <+09>-9|540 21161820 600 312480 540 211680 600 1884900 540|Asia/Yakutsk
        <+09>-9|600 21161760 660 312480 600 211680 660 244620 600 1640340 540|Asia/Khandyga
        <+1030>-10:30<+11>-11,M10.1.0,M4.1.0||Australia/LHI =Australia/Lord_Howe
        <+10>-10||Etc/GMT-10 Antarctica/DumontDUrville =Pacific/Chuuk =Pacific/Port_Moresby =Pacific/Truk \
        =Pacific/Yap
        <+10>-10|600 21161760 660 312480 600 211680 660 1884900 600|Asia/Vladivostok
        <+10>-10|660 21161700 720 312480 660 211680 720 244620 660 1640340 600|Asia/Ust-Nera
        <+11>-11<+12>,M10.1.0,M4.1.0/3|690 24064710 660 1966950 660|Pacific/Norfolk
        <+11>-11||Etc/GMT-11 Pacific/Efate Pacific/Guadalcanal =Pacific/Pohnpei =Pacific/Ponape Pacific/Kosrae \
        Pacific/Noumea
        <+11>-11|600 21161760 660 312480 600 211680 660 1884900 600 745980 660|Asia/Sakhalin
        <+11>-11|600 23661600 660|Pacific/Bougainville
        <+11>-11|660 21161700 720 312480 660 211680 720 1884900 600 786360 660|Asia/Magadan
        <+11>-11|660 21161700 720 312480 660 211680 720 1884900 660|Asia/Srednekolymsk
        <+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45||Pacific/Chatham
        <+12>-12||Etc/GMT-12 Pacific/Kwajalein Pacific/Nauru Pacific/Funafuti =Pacific/Majuro =Pacific/Tarawa \
        =Pacific/Wake =Pacific/Wallis
        <+12>-12|720 21161640 720 312540 660 211680 720|Asia/Anadyr Asia/Kamchatka
        <+12>-12|780 21161640 720 302400 780 191520 720 332640 780 131040 720 393120 780 131040 720 403200 780 \
        120900 720 413340 780 110880 720 413280 780 110880 720 423360 780 100800 720 423360 780 100800 720 \
        423360 780 100800 720 433440 780 90720 720 493920 780 40320 720|Pacific/Fiji
        <+13>-13||Etc/GMT-13 Pacific/Enderbury =Pacific/Kanton
        <+13>-13|-660 21424980 -600 270900 -660 252000 -600 139440 840 132720 780 262080 840 272160 780 252000 \
        840 272160 780 252000 840 272160 780 252000 840 272160 780 252000 840 272160 780 252000 840 272160 780 \
        262080 840 272160 780 252000 840 272160 780 252000 840 272160 780|Pacific/Apia
        <+13>-13|-660 22087380 780|Pacific/Fakaofo
        <+13>-13|780 24639180 840 100800 780|Pacific/Tongatapu
        <+14>-14||Etc/GMT-14 Pacific/Kiritimati
        <-01>1<+00>,M3.5.0/0,M10.5.0/1||Atlantic/Azores
        <-01>1||Atlantic/Cape_Verde Etc/GMT+1
        <-02>2<-01>,M3.5.0/-1,M10.5.0/0|-180 21162300 -120 312480 -180 211680 -120 312480 -180 211680 -120 \
        312480 -180 221760 -120 302400 -180 221760 -120 302400 -180 221760 -120 302400 -180 221760 -120 312480 \
        -180 211680 -120 312480 -180 211680 -120 312480 -180 221760 -120 302400 -180 221760 -120 302400 -180 \
        221760 -120 312480 -180 211680 -120 312480 -180 211680 -120 312480 -120|America/Godthab =America/Nuuk
        <-02>2<-01>,M3.5.0/-1,M10.5.0/0|-60 21162300 0 312480 -60 211680 0 312480 -60 211680 0 312480 -60 221760 \
        0 302400 -60 221760 0 302400 -60 221760 0 302400 -60 221760 0 312480 -60 211680 0 312480 -60 211680 0 \
        312480 -60 221760 0 302400 -60 221760 0 302400 -60 221760 0 312480 -60 211680 0 312480 -60 211680 0 \
        312480 -60 221760 -60|America/Scoresbysund
        <-02>2||America/Noronha =Brazil/DeNoronha Atlantic/South_Georgia Etc/GMT+2
        <-03>3<-02>,M3.2.0,M11.1.0||America/Miquelon
        <-03>3||America/Argentina/Buenos_Aires =America/Buenos_Aires America/Argentina/Catamarca \
        =America/Argentina/ComodRivadavia =America/Catamarca America/Argentina/Cordoba =America/Cordoba \
        =America/Rosario America/Argentina/Jujuy =America/Jujuy America/Argentina/La_Rioja \
        America/Argentina/Mendoza =America/Mendoza America/Argentina/Rio_Gallegos America/Argentina/Salta \
        America/Argentina/San_Juan America/Argentina/San_Luis America/Argentina/Tucuman \
        America/Argentina/Ushuaia America/Belem America/Cayenne America/Fortaleza America/Maceio \
        America/Paramaribo America/Recife America/Santarem Antarctica/Rothera Etc/GMT+3
        <-03>3|-120 21111960 -180 342780 -120 181380 -180 342780 -120 191460 -180 342780 -120 171300 -180 352860 \
        -120 171300 -180 352860 -120 181380 -180 342780 -120 181380 -180 342780 -120 181380 -180 342780 -120 \
        181380 -180 373020 -120 151140 -180|America/Sao_Paulo =Brazil/East
        <-03>3|-120 21142320 -180 292380 -120 231780 -180 292380 -120 231780 -180 302460 -120 221700 -180 302460 \
        -120 221700 -180 302460 -120 221700 -180|America/Montevideo
        <-03>3|-180 21172500 -240 272220 -180 302340 -240 151260 -180 362820 -240 181500 -180 342660 -240 191580 \
        -180 332580 -240 191580 -180 886980 -240 131100 -180 161220 -180|America/Punta_Arenas Antarctica/Palmer
        <-03>3|-180 21172500 -240 272220 -180 302340 -240 151260 -180 362820 -240 181500 -180 342660 -240 191580 \
        -180 332580 -240 191580 -180 886980 -240 131100 -180 393060 -240 131100 -180 393060 -240 131100 -180 \
        342660 -240 221820 -180 302340 -240 221820 -180 302340 -240 221820 -180 302340 -240 231900 -180 292260 \
        -240 221820 -180 312420 -240 221820 -180 277860 -180|America/Coyhaique
        <-03>3|-180 21182580 -240 252060 -180 272100 -240 252060 -180 272100 -240 262140 -180 241860 -240 282300 \
        -180 241860 -240 282300 -180 241860 -240 282300 -180 251940 -240 272220 -180 251940 -240 272220 -180 \
        251940 -240 282300 -180 241860 -240 282300 -180 241860 -240 282300 -180 251940 -240 272220 -180 251940 \
        -240 272220 -180 251940 -240 272220 -180 251940 -240 282300 -180 12900 -180|America/Asuncion
        <-03>3|-180 21192780 -240 201660 -180|Atlantic/Stanley
        <-03>3|-180 21978900 -120 191460 -180|America/Bahia
        <-03>3|-180 22513140 -120 171300 -180|America/Araguaina
        <-04>4<-03>,M9.1.6/24,M4.1.6/24|-180 21172500 -240 272220 -180 302340 -240 151260 -180 362820 -240 \
        181500 -180 342660 -240 191580 -180 332580 -240 191580 -180 886980 -240 131100 -180 393060 -240 131100 \
        -180 393060 -240 131100 -180 342660 -240 221820 -180 302340 -240 221820 -180 302340 -240 221820 -180 \
        302340 -240 231900 -180 292260 -240|America/Santiago =Chile/Continental
        <-04>4||America/Boa_Vista America/Guyana America/La_Paz America/Manaus =Brazil/West America/Porto_Velho \
        Etc/GMT+4
        <-04>4|-180 21112020 -240 342780 -180 181380 -240 342780 -180 191460 -240 342780 -180 171300 -240 352860 \
        -180 171300 -240 352860 -180 181380 -240 342780 -180 181380 -240 342780 -180 181380 -240 342780 -180 \
        181380 -240 373020 -180 151140 -240|America/Campo_Grande America/Cuiaba
        <-04>4|-270 24368100 -240|America/Caracas
        <-05>5||America/Bogota America/Guayaquil America/Lima Etc/GMT+5
        <-05>5|-240 23067600 -300|America/Eirunepe America/Porto_Acre =America/Rio_Branco =Brazil/Acre
        <-06>6<-05>,M9.1.6/22,M4.1.6/22|-300 21172500 -360 272220 -300 302340 -360 151260 -300 362820 -360 \
        181500 -300 342660 -360 191580 -300 332580 -360 191580 -300 886980 -360 131100 -300 393060 -360 131100 \
        -300 393060 -360 131100 -300 342660 -360 221820 -300 302340 -360 221820 -300 302340 -360 221820 -300 \
        302340 -360 231900 -300 292260 -360|Chile/EasterIsland =Pacific/Easter
        <-06>6||Etc/GMT+6 Pacific/Galapagos
        <-07>7||Etc/GMT+7
        <-08>8||Etc/GMT+8 Pacific/Pitcairn
        <-0930>9:30||Pacific/Marquesas
        <-09>9||Etc/GMT+9 Pacific/Gambier
        <-10>10||Etc/GMT+10 Pacific/Rarotonga Pacific/Tahiti
        <-11>11||Etc/GMT+11 Pacific/Niue
        <-12>12||Etc/GMT+12
        ACST-9:30ACDT,M10.1.0,M4.1.0/3||Australia/Adelaide =Australia/South Australia/Broken_Hill \
        =Australia/Yancowinna
        ACST-9:30||Australia/Darwin =Australia/North
        AEST-10AEDT,M10.1.0,M4.1.0/3||Australia/Currie =Australia/Hobart =Australia/Tasmania Australia/Melbourne \
        =Australia/Victoria Australia/ACT =Australia/Canberra =Australia/NSW =Australia/Sydney
        AEST-10AEDT,M10.1.0,M4.1.0/3|660 21563340 660|Antarctica/Macquarie
        AEST-10||Australia/Brisbane =Australia/Queensland Australia/Lindeman
        AKST9AKDT,M3.2.0,M11.1.0||America/Anchorage =US/Alaska America/Juneau America/Nome America/Sitka \
        America/Yakutat
        AKST9AKDT,M3.2.0,M11.1.0|-480 24106200 -540 191580 -480 342660 -540 181500 -480 342660 -540 181500 -480 \
        342660 -480 110880 -540|America/Metlakatla
        AST4ADT,M3.2.0,M11.1.0||America/Glace_Bay America/Halifax =Canada/Atlantic America/Moncton America/Thule \
        Atlantic/Bermuda
        AST4ADT,M3.2.0,M11.1.0|-240 21142321 -180 342660 -240 181500 -180 335459 -180|America/Goose_Bay
        AST4||America/Barbados America/Martinique America/Anguilla =America/Antigua =America/Aruba \
        =America/Blanc-Sablon =America/Curacao =America/Dominica =America/Grenada =America/Guadeloupe \
        =America/Kralendijk =America/Lower_Princes =America/Marigot =America/Montserrat =America/Port_of_Spain \
        =America/Puerto_Rico =America/St_Barthelemy =America/St_Kitts =America/St_Lucia =America/St_Thomas \
        =America/St_Vincent =America/Tortola =America/Virgin America/Santo_Domingo
        AWST-8||Australia/Perth =Australia/West
        CAT-2||Africa/Blantyre =Africa/Bujumbura =Africa/Gaborone =Africa/Harare =Africa/Kigali \
        =Africa/Lubumbashi =Africa/Lusaka =Africa/Maputo
        CAT-2|120 21172320 60 221820 120 302340 60 221820 120 302340 60 221820 120 312420 60 211740 120 312420 \
        60 221820 120 302340 60 221820 120 302340 60 221820 120 302340 60 221820 120|Africa/Windhoek
        CAT-2|180 25158060 120|Africa/Khartoum
        CAT-2|180 26868780 120|Africa/Juba
        CET-1CEST,M3.5.0,M10.5.0/3||Africa/Ceuta Europe/Andorra Europe/Belgrade =Europe/Ljubljana \
        =Europe/Podgorica =Europe/Sarajevo =Europe/Skopje =Europe/Zagreb Arctic/Longyearbyen =Atlantic/Jan_Mayen \
        =Europe/Berlin =Europe/Copenhagen =Europe/Oslo =Europe/Stockholm Europe/Amsterdam =Europe/Brussels \
        =Europe/Luxembourg Europe/Budapest Europe/Gibraltar Europe/Madrid Europe/Malta Europe/Monaco \
        =Europe/Paris Europe/Bratislava =Europe/Prague Europe/Rome =Europe/San_Marino =Europe/Vatican \
        Europe/Tirane Europe/Vienna Europe/Warsaw Europe/Busingen =Europe/Vaduz =Europe/Zurich
        CET-1||Africa/Algiers Africa/Tunis
        CST-8||Asia/Macao =Asia/Macau Asia/Chongqing =Asia/Chungking =Asia/Harbin =Asia/Shanghai Asia/Taipei
        CST5CDT,M3.2.0/0,M11.1.0/1|-300 21142380 -240 332640 -300 201600 -240 342720 -300 201600 -240 312480 \
        -300 181440 -240 342720 -300 181440 -240 342720 -300 181440 -240 342720 -300 191520 -240 342720 -300 \
        181440 -240 342720 -300 181440 -240 342720 -300 181440 -240 342720 -300 181440 -240 342720 -300 191520 \
        -240 342720 -300 181440 -240 342720 -300 181440 -240 342720 -300 181440 -240 342720 -300 181440 -240 \
        342720 -300 181440 -240 876960 -300|America/Havana
        CST6CDT,M3.2.0,M11.1.0||America/Chicago =US/Central America/Indiana/Knox =America/Knox_IN \
        =US/Indiana-Starke America/Indiana/Tell_City America/Menominee America/North_Dakota/Center \
        America/North_Dakota/New_Salem America/Rankin_Inlet America/Resolute
        CST6CDT,M3.2.0,M11.1.0|-360 21038760 -360|America/Matamoros
        CST6CDT,M3.2.0,M11.1.0|-420 21142620 -360 342660 -360|America/North_Dakota/Beulah
        CST6CDT,M3.2.0,M11.1.0|-420 21142620 -360 342660 -420 181500 -360 342660 -420 181500 -360 342660 -420 \
        181500 -360 342660 -420 181500 -360 342660 -420 181500 -360 342660 -420 191580 -360 342660 -420 181500 \
        -360 342660 -420 181500 -360 342660 -420 181500 -360 342660 -420 181500 -360 342660 -420 191580 -360 \
        342660 -420 181500 -360 332580 -360 44520 -360|America/Ojinaga
        CST6||America/Belize America/Costa_Rica America/El_Salvador America/Guatemala America/Managua \
        America/Regina =Canada/Saskatchewan America/Swift_Current America/Tegucigalpa
        CST6|-360 21172800 -300 302340 -360 221820 -300 302340 -360 221820 -300 302340 -360 231900 -300 292260 \
        -360 231900 -300 292260 -360 231900 -300 292260 -360 231900 -300 302340 -360 221820 -300 302340 -360 \
        221820 -300 302340 -360 231900 -300 292260 -360 231900 -300 292260 -360 231900 -300 302340 -360 221820 \
        -300 302340 -360|America/Merida America/Mexico_City =Mexico/General America/Monterrey
        CST6|-420 21142620 -360 342660 -420 181500 -360 342660 -420 181500 -360 342660 -420 181500 -360 342660 \
        -420 181500 -360 342660 -420 181500 -360 342660 -420 191580 -360 342660 -420 181500 -360 342660 -420 \
        181500 -360 342660 -420 181500 -360 342660 -420 181500 -360 342660 -420 191580 -360 342660 -420 181500 \
        -360 342660 -420 181500 -360 342660 -420 181500 -360 342660 -420 181500 -360 342660 -420 181500 -360 \
        342660 -360|America/Edmonton =America/Yellowknife =Canada/Mountain America/Inuvik
        CST6|-420 21172860 -300 302280 -360 221820 -300 302340 -360 221820 -300 302340 -360 231900 -300 292260 \
        -360 231900 -300 292260 -360 231900 -300 292260 -360 231900 -300 302340 -360 221820 -300 302340 -360 \
        221820 -300 302340 -360 231900 -300 292260 -360 231900 -300 292260 -360 231900 -300 302340 -360 221820 \
        -300 302340 -360|America/Bahia_Banderas
        CST6|-420 21172860 -360 302340 -420 221820 -360 302340 -420 221820 -360 302340 -420 231900 -360 292260 \
        -420 231900 -360 292260 -420 231900 -360 292260 -420 231900 -360 302340 -420 221820 -360 302340 -420 \
        221820 -360 302340 -420 231900 -360 292260 -420 231900 -360 292260 -420 231900 -360 302340 -420 221820 \
        -360 302340 -360|America/Chihuahua
        ChST-10||Pacific/Guam =Pacific/Saipan
        EAT-3||Africa/Addis_Ababa =Africa/Asmara =Africa/Asmera =Africa/Dar_es_Salaam =Africa/Djibouti \
        =Africa/Kampala =Africa/Mogadishu =Africa/Nairobi =Indian/Antananarivo =Indian/Comoro =Indian/Mayotte
        EET-2EEST,M3.4.4/50,M10.4.4/50|120 21159240 180 198660 120 335581 180 175619 120 41820 180 44580 120 \
        262140 180 252000 120 272160 180 262020 120 262140 180 302340 120 223260 180 300960 120 223260 180 \
        312420 120 211740 180 312420 120 211740 180 312420 120 220320 180 303780 120 221820 180 302400 120 \
        221760 180 311040 120 214560 180 311100 120 262140 180 262020 120 252060 180 272100 120 241980 180 \
        282180 120 221820 180 302340 120 221820 180 312420 120 211740 180 312420 120 211740 180 312420 120 \
        221820 180 302340 120 221820 180 302340 120 221820 180 312420 120 211740 180 312420 120 211740 180 \
        312420 120 211740 180 312420 120 221820 180 292260 120 231900 180 282180 120 241980 180 262020 120 \
        262140 180 251940 120 272220 180 231780 120 70620 180 10020 120 221820 180 211620 120 60540 180 30180 \
        120 221820 180 201540 120 60540 180 40260 120 221820 180 181380 120 70620 180 50340 120 221820 180 \
        171300 120 60540 180 80580 120 211740 180 161220 120 60540 180 90660 120 211740 180 141060 120 70620 180 \
        100740 120 221820 180 120900 120 60540 180 120900 120 221820 180 100740 120 70620 180 130980 120 221820 \
        180 90660 120 60540 180 161220 120 211740 180 80580 120 60540 180 171300 120 211740 180 60420 120 70620 \
        180 181380 120 221820 180 40260 120 60540 180 201540 120 221820 180 20100 120 70620 180 211620 120 \
        221820 180 10020 120 70620 180 221700 120 282300 180 251940 120 262140 180 262020 120 241980 180 282180 \
        120 231900 180 292260 120 221820 180 302340 120 221820 180 312420 120 211740 180 312420 120 211740 180 \
        312420 120 211740 180 312420 120 221820 180 302340 120 221820 180 302340 120 221820 180 312420 120 \
        211740 180 312420 120 211740 180 302340 120 231900 180 282180 120 241980 180 272100 120 252060 180 \
        251940 120 272220 180 241860 120 60540 180 10020 120 211740 180 231780 120 60540 180 20100 120 211740 \
        180 211620 120 70620 180 30180 120 221820 180 191460 120 60540 180 50340 120 221820 180 171300 120 70620 \
        180 60420 120 221820 180 161220 120 70620 180 80580 120 211740 180 151140 120 60540 180 100740 120 \
        211740 180 130980 120 70620 180 110820 120 221820 180 110820 120 60540 180 130980 120 221820 180 100740 \
        120 60540 180 141060 120 221820 180 80580 120 70620 180 151140 120 221820 180 70500 120 60540 180 181380 \
        120 211740 180 50340 120 70620 180 191460 120 211740 180 40260 120 70620 180 201540 120 221820 180 20100 \
        120 60540 180 221700 120|Asia/Hebron
        EET-2EEST,M3.4.4/50,M10.4.4/50|120 21160681 180 197219 120 335581 180 175619 120 348540 180 252000 120 \
        272160 180 262020 120 262140 180 302340 120 223260 180 300960 120 223260 180 312420 120 211740 180 \
        312420 120 211740 180 312420 120 220320 180 303780 120 221820 180 302400 120 221760 180 311040 120 \
        214560 180 311100 120 262140 180 262020 120 252060 180 272100 120 241980 180 282180 120 221820 180 \
        302340 120 221820 180 312420 120 211740 180 312420 120 211740 180 312420 120 221820 180 302340 120 \
        221820 180 302340 120 221820 180 312420 120 211740 180 312420 120 211740 180 312420 120 211740 180 \
        312420 120 221820 180 292260 120 231900 180 282180 120 241980 180 262020 120 262140 180 251940 120 \
        272220 180 231780 120 70620 180 10020 120 221820 180 211620 120 60540 180 30180 120 221820 180 201540 \
        120 60540 180 40260 120 221820 180 181380 120 70620 180 50340 120 221820 180 171300 120 60540 180 80580 \
        120 211740 180 161220 120 60540 180 90660 120 211740 180 141060 120 70620 180 100740 120 221820 180 \
        120900 120 60540 180 120900 120 221820 180 100740 120 70620 180 130980 120 221820 180 90660 120 60540 \
        180 161220 120 211740 180 80580 120 60540 180 171300 120 211740 180 60420 120 70620 180 181380 120 \
        221820 180 40260 120 60540 180 201540 120 221820 180 20100 120 70620 180 211620 120 221820 180 10020 120 \
        70620 180 221700 120 282300 180 251940 120 262140 180 262020 120 241980 180 282180 120 231900 180 292260 \
        120 221820 180 302340 120 221820 180 312420 120 211740 180 312420 120 211740 180 312420 120 211740 180 \
        312420 120 221820 180 302340 120 221820 180 302340 120 221820 180 312420 120 211740 180 312420 120 \
        211740 180 302340 120 231900 180 282180 120 241980 180 272100 120 252060 180 251940 120 272220 180 \
        241860 120 60540 180 10020 120 211740 180 231780 120 60540 180 20100 120 211740 180 211620 120 70620 180 \
        30180 120 221820 180 191460 120 60540 180 50340 120 221820 180 171300 120 70620 180 60420 120 221820 180 \
        161220 120 70620 180 80580 120 211740 180 151140 120 60540 180 100740 120 211740 180 130980 120 70620 \
        180 110820 120 221820 180 110820 120 60540 180 130980 120 221820 180 100740 120 60540 180 141060 120 \
        221820 180 80580 120 70620 180 151140 120 221820 180 70500 120 60540 180 181380 120 211740 180 50340 120 \
        70620 180 191460 120 211740 180 40260 120 70620 180 201540 120 221820 180 20100 120 60540 180 221700 \
        120|Asia/Gaza
        EET-2EEST,M3.5.0/0,M10.5.0/0||Asia/Beirut
        EET-2EEST,M3.5.0/3,M10.5.0/4||Asia/Nicosia =Europe/Nicosia Europe/Athens Europe/Bucharest \
        Europe/Helsinki =Europe/Mariehamn Europe/Kiev =Europe/Kyiv =Europe/Uzhgorod =Europe/Zaporozhye \
        Europe/Riga Europe/Sofia Europe/Tallinn Europe/Vilnius
        EET-2EEST,M3.5.0/3,M10.5.0/4|120 21162240 180 312480 120 211680 180 312480 120 211680 180 312480 120 \
        221760 180 302400 120 221760 180 302400 120 221760 180 302400 120 221760 180 312480 120 211680 180 \
        312480 120 211680 180 312480 120 221760 180 302400 120 221760 180 302400 120 221760 180 312480 120 89160 \
        120|Europe/Chisinau =Europe/Tiraspol
        EET-2EEST,M3.5.0/3,M10.5.0/4|120 21162300 180 312480 120 211680 180 312480 120 211680 180 312480 120 \
        221760 180 302400 120 221760 180 302400 120 221760 180 302400 120 221760 180 237360 180 599280 \
        120|Asia/Famagusta
        EET-2EEST,M4.5.5/0,M10.5.4/24|120 21209640 180 148260 120 43260 180 30180 120 1905180 180 60420 120 \
        50460 180 80580 120 4515900 180|Africa/Cairo
        EET-2|120 21162240 180 312480 120 211680 180 1884900 120|Europe/Kaliningrad
        EET-2|120 22541760 60 200160 120 302400 120|Africa/Tripoli
        EST5EDT,M3.2.0,M11.1.0||America/Detroit =US/Michigan America/Fort_Wayne =America/Indiana/Indianapolis \
        =America/Indianapolis =US/East-Indiana America/Indiana/Marengo America/Indiana/Petersburg \
        America/Indiana/Vevay America/Indiana/Vincennes America/Indiana/Winamac America/Iqaluit \
        =America/Pangnirtung America/Kentucky/Louisville =America/Louisville America/Kentucky/Monticello \
        America/New_York =US/Eastern America/Montreal =America/Nassau =America/Nipigon =America/Thunder_Bay \
        =America/Toronto =Canada/Eastern
        EST5EDT,M3.2.0,M11.1.0|-300 21142500 -240 342660 -300 181500 -240 342660 -300 181500 -240 342660 -300 \
        181500 -240 342660 -300 181500 -240 342660 -300 181500 -240 1582560 -240|America/Grand_Turk
        EST5EDT,M3.2.0,M11.1.0|-300 22190820 -240 342660 -300 181500 -240 342660 -300 181500 -240 342660 -300 \
        181500 -240 342660 -300 715740 -240|America/Port-au-Prince
        EST5||America/Jamaica America/Atikokan =America/Cayman =America/Coral_Harbour =America/Panama
        EST5|-360 21142560 -300 342660 -360 181500 -300 342660 -360 181500 -300 342660 -360 181500 -300 342660 \
        -360 181500 -300 342660 -360 181500 -300 342660 -360 191580 -300 342660 -360 181500 -300 342660 -360 \
        181500 -300 342660 -360 181500 -300 342660 -360 181500 -300 342660 -360 191580 -300 342660 -360 181500 \
        -300 342660 -360 181500 -300 342660 -360 181500 -300 342660 -360 181500 -300 342660 -360 181500 -300 \
        342660 -300|America/Rainy_River =America/Winnipeg =Canada/Central
        EST5|-360 21172800 -300 302340 -360 221820 -300 302340 -360 221820 -300 302340 -360 231900 -300 292260 \
        -360 231900 -300 292260 -360 141180 -300|America/Cancun
        GMT0BST,M3.5.0/1,M10.5.0||Europe/Belfast =Europe/Guernsey =Europe/Isle_of_Man =Europe/Jersey \
        =Europe/London
        GMT0||Africa/Abidjan =Africa/Accra =Africa/Bamako =Africa/Banjul =Africa/Conakry =Africa/Dakar \
        =Africa/Freetown =Africa/Lome =Africa/Nouakchott =Africa/Ouagadougou =Africa/Timbuktu \
        =Atlantic/Reykjavik =Atlantic/St_Helena Africa/Bissau Africa/Monrovia America/Danmarkshavn Etc/GMT \
        =Etc/GMT+0 =Etc/GMT-0 =Etc/GMT0 =Etc/Greenwich =GMT
        GMT0|0 25246140 60 525600 0|Africa/Sao_Tome
        HKT-8||Asia/Hong_Kong
        HST10HDT,M3.2.0,M11.1.0||America/Adak =America/Atka =US/Aleutian
        HST10||Pacific/Honolulu =Pacific/Johnston =US/Hawaii
        IST-1GMT0,M10.5.0,M3.5.0/1||Europe/Dublin
        IST-2IDT,M3.4.4/26,M10.5.0|120 21159360 180 244740 120 289500 180 264900 120 259260 180 254820 120 \
        269340 180|Asia/Jerusalem =Asia/Tel_Aviv
        IST-5:30||Asia/Calcutta =Asia/Kolkata
        JST-9||Asia/Tokyo
        KST-9||Asia/Seoul
        KST-9|540 23992740 510 1431360 540|Asia/Pyongyang
        MSK-3|120 21162300 180 312480 120 211680 180 312480 120 211680 180 312480 120 221760 180 302400 120 \
        221700 240 302280 180|Europe/Simferopol
        MSK-3|180 21162180 240 312480 180 211680 240 1884900 180|Europe/Kirov Europe/Moscow
        MSK-3|180 21162180 240 312480 180 211680 240 1884900 180 2106780 240 1138980 180|Europe/Volgograd
        MST7MDT,M3.2.0,M11.1.0||America/Boise America/Cambridge_Bay America/Denver =America/Shiprock \
        =US/Mountain
        MST7MDT,M3.2.0,M11.1.0|-420 21142620 -360 342660 -420 181500 -360 342660 -420 181500 -360 342660 -420 \
        181500 -360 342660 -420 181500 -360 342660 -420 181500 -360 342660 -420 191580 -360 342660 -420 181500 \
        -360 342660 -420 181500 -360 342660 -420 181500 -360 342660 -420 181500 -360 342660 -420 191580 -360 \
        342660 -420 181500 -360 332580 -360 44520 -420|America/Ciudad_Juarez
        MST7||America/Dawson_Creek America/Hermosillo America/Creston =America/Phoenix =US/Arizona
        MST7|-420 21172860 -360 302340 -420 221820 -360 302340 -420 221820 -360 302340 -420 231900 -360 292260 \
        -420 231900 -360 292260 -420 231900 -360 292260 -420 231900 -360 302340 -420 221820 -360 302340 -420 \
        221820 -360 302340 -420 231900 -360 292260 -420 231900 -360 292260 -420 231900 -360 302340 -420 221820 \
        -360 302340 -420|America/Mazatlan =Mexico/BajaSur
        MST7|-480 21142680 -420 342660 -480 181500 -420 342660 -480 181500 -420 342660 -480 181500 -420 342660 \
        -480 181500 -420 342660 -480 181500 -420|America/Fort_Nelson
        MST7|-480 21142680 -420 342660 -480 181500 -420 342660 -480 181500 -420 342660 -480 181500 -420 342660 \
        -480 181500 -420 342660 -480 181500 -420 342660 -480 191580 -420 342660 -480 181500 -420 342660 -480 \
        181500 -420 342660 -480 181500 -420 342660 -480 181500 -420 342540 -420|America/Dawson \
        America/Whitehorse =Canada/Yukon
        MST7|-480 21142680 -420 342660 -480 181500 -420 342660 -480 181500 -420 342660 -480 181500 -420 342660 \
        -480 181500 -420 342660 -480 181500 -420 342660 -480 191580 -420 342660 -480 181500 -420 342660 -480 \
        181500 -420 342660 -480 181500 -420 342660 -480 181500 -420 342660 -480 191580 -420 342660 -480 181500 \
        -420 342660 -480 181500 -420 342660 -480 181500 -420 342660 -480 181500 -420 342660 -480 181500 -420 \
        342660 -420|America/Vancouver =Canada/Pacific
        NST3:30NDT,M3.2.0,M11.1.0|-210 21142291 -150 342660 -210 181500 -150 335459 -150|America/St_Johns \
        =Canada/Newfoundland
        NZST-12NZDT,M9.5.0,M4.1.0/3||Antarctica/McMurdo =Antarctica/South_Pole =Pacific/Auckland
        PKT-5||Asia/Karachi
        PST-8||Asia/Manila
        PST8PDT,M3.2.0,M11.1.0||America/Los_Angeles =US/Pacific
        PST8PDT,M3.2.0,M11.1.0|-480 21038880 -480|America/Ensenada =America/Santa_Isabel =America/Tijuana \
        =Mexico/BajaNorte
        SAST-2||Africa/Johannesburg =Africa/Maseru =Africa/Mbabane
        SST11||Pacific/Midway =Pacific/Pago_Pago =Pacific/Samoa =US/Samoa
        UTC0||Etc/UCT =Etc/UTC =Etc/Universal =Etc/Zulu =UTC
        WAT-1||Africa/Bangui =Africa/Brazzaville =Africa/Douala =Africa/Kinshasa =Africa/Lagos \
        =Africa/Libreville =Africa/Luanda =Africa/Malabo =Africa/Niamey =Africa/Porto-Novo Africa/Ndjamena
        WET0WEST,M3.5.0/1,M10.5.0||Atlantic/Canary Atlantic/Faeroe =Atlantic/Faroe Atlantic/Madeira \
        Europe/Lisbon
        WIB-7||Asia/Jakarta Asia/Pontianak
        WIT-9||Asia/Jayapura
        WITA-8||Asia/Makassar =Asia/Ujung_Pandang
        """
}
