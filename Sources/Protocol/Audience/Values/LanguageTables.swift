// Written by scripts/audience-tables from Unicode CLDR 49, as in PyPI's Babel 2.19.0
// (https://cldr.unicode.org), under docs/vectors/LICENSE.unicode. The same tables are in docs/vectors/languages.json.

/// What is known of languages (docs/audiences.md, "Locales"), as text for ``Subtags``.
enum LanguageTables {
    /// Former, longer and narrower codes of languages, each with the present one.
    static let aliases = """
        aam:aas aar:aa abk:ab adp:dz afr:af agp:apf ais:ami ajp:apc ajt:aeb aju:jrb aka:ak alb:sq als:sq amh:am \
        ara:ar arb:ar arg:an arm:hy asd:snz asm:as aue:ktz ava:av ave:ae aym:ay ayr:ay ayx:nun aze:az azj:az \
        bak:ba bam:bm baq:eu baz:nvo bcc:bal bcl:bik bel:be ben:bn bgm:bcg bh:bho bhk:fbl bic:bir bih:bho bis:bi \
        bjd:drl bjq:bzc bkb:ebk blg:iba bod:bo bos:bs bre:br btb:beb bul:bg bur:my bxk:luy bxr:bua cat:ca \
        ccq:rki ces:cs cha:ch che:ce chi:zh chu:cu chv:cv cjr:mom cka:cmr cld:syr cls:sa cmk:xch cmn:zh cor:kw \
        cos:co coy:pij cqu:quh cre:cr cwd:cr cym:cy cze:cs daf:dnj dan:da dap:njz dek:sqm deu:de dgo:doi dhd:mwr \
        dik:din diq:zza dit:dif div:dv djl:dze dkl:aqd drh:mn drr:kzk dud:uth duj:dwu dut:nl dwl:dbt dzo:dz \
        ekk:et ell:el elp:amq emk:man eng:en epo:eo esk:ik est:et eus:eu ewe:ee fao:fo fas:fa fij:fj fin:fi \
        fra:fr fre:fr fry:fy fuc:ff ful:ff gav:dev gaz:om gbc:wny gbo:grb geo:ka ger:de gfx:vaj ggn:gvr ggo:esg \
        ggr:gtu gio:aou gla:gd gle:ga glg:gl gli:kzk glv:gv gno:gon gom:kok gre:el grn:gn gti:nyc gug:gn guj:gu \
        guv:duz gya:gba hat:ht hau:ha hbs:sr-Latn hdn:hai hea:hmn heb:he her:hz him:srx hin:hi hmo:ho hrr:jal \
        hrv:hr hun:hu hye:hy ibi:opa ibo:ig ice:is ido:io iii:ii ike:iu iku:iu ile:ie ill:ilm ilw:gal in:id \
        ina:ia ind:id ipk:ik isl:is ita:it iw:he izi:eza jar:jgk jav:jv jeg:oyb ji:yi jpn:ja jw:jv kal:kl kan:kn \
        kas:ks kat:ka kau:kr kaz:kk kdv:zkd kgc:tdf kgd:ncq kgh:kml kgm:plu khk:mn khm:km kik:ki kin:rw kir:ky \
        kmr:ku knc:kr kng:kg koj:kwv kom:kv kon:kg kor:ko kpp:jkm kpv:kv krm:bmf ktr:dtp kua:kj kur:ku kvs:gdj \
        kwq:yam kxe:tvd kxl:kru kzh:dgl kzj:dtp kzt:dtp lak:ksp lao:lo lat:la lav:lv lbk:bnc leg:enl lii:raq \
        lim:li lin:ln lit:lt llo:ngt lmm:rmx ltz:lb lub:lu lug:lg lvs:lv mac:mk mah:mh mal:ml mao:mi mar:mr \
        may:ms meg:cir mgx:jbk mhr:chm mkd:mk mlg:mg mlt:mt mnt:wnn mo:ro mof:xnt mol:ro mon:mn mrd:mgp mri:mi \
        msa:ms mst:mry mup:raj mwd:dmw mwj:vaj mya:my myd:aog myt:mry nad:xny nau:na nav:nv nb:no nbf:nru nbl:nr \
        nbx:gll ncp:kdz nde:nd ndo:ng nep:ne nld:nl nln:azd nlr:nrk nno:nn nns:nbr nnx:ngv nob:no nom:cbr \
        noo:dtd nor:no npi:ne nte:eko nts:pij nxu:bpp nya:ny oci:oc ojg:oj oji:oj ori:or orm:om ory:or oss:os \
        oun:vaj pan:pa pat:kxr pbu:ps pcr:adx per:fa pes:fa pli:pi plt:mg pmc:huw pmk:crr pmu:phr pnb:lah pol:pl \
        por:pt ppa:bfy ppr:lcq prp:gu pry:prt pus:ps puz:pub que:qu quz:qu rmr:emx rmy:rom roh:rm ron:ro rum:ro \
        run:rn rus:ru sag:sg san:sa sap:aqt sca:hle scc:sr scr:hr sgl:isk sh:sr-Latn shl:mrh sin:si skk:oyb \
        slk:sk slo:sk slv:sl smd:kmb sme:se smo:sm sna:sn snb:iba snd:sd som:so sot:st spa:es spy:kln sqi:sq \
        src:sc srd:sc srp:sr ssw:ss sul:sgd sum:ulw sun:su swa:sw swe:sv swh:sw szd:umi tah:ty tam:ta tat:tt \
        tdu:dtp tel:te tgg:bjp tgk:tg tgl:fil tha:th thc:tpo thw:ola thx:oyb tib:bo tid:itd tie:ras tir:ti \
        tkk:twm tl:fil tlw:weo tmk:tdg tmp:tyj tne:kak ton:to tpw:tpn tsf:taj tsn:tn tso:ts ttq:tmh tuk:tk \
        tur:tr tw:ak twi:ak uig:ug ukr:uk umu:del unp:wro uok:ema urd:ur uzb:uz uzn:uz ven:ve vie:vi vol:vo \
        wel:cy wgw:wgb wit:nol wiw:nwo wln:wa wol:wo xba:cax xho:xh xia:acn xkh:waw xpe:kpe xrq:dmw xsj:suj \
        xsl:den xss:zko ybd:rki ydd:yi yen:ynq yid:yi yiy:yrm yma:lrr ymt:mtm yol:enm yor:yo yos:zom yuu:yug \
        zai:zap zha:za zho:zh zir:scv zkb:kjh zsm:ms zul:zu zyb:za
        """

    /// Former codes of regions.
    static let regions = """
        BU:MM CT:KI DD:DE DY:BJ FX:FR HV:BF JT:UM MI:UM NH:VU NQ:AQ PU:UM PZ:PA QU:EU RH:ZW TP:TL UK:GB VD:VN \
        WK:UM YD:YE ZR:CD
        """

    /// Scripts in which languages are written, also where that depends on the region; Latin is left out.
    static let scripts = """
        Aghb: xag Ahom: aho Arab: aao abh abv acm acq acw acx adf aeb aec aee aeq afb aib aiq apc apd ar arq ars \
        ary arz ask atn auj auz avd avl ayh ayl ayn ayp az-IQ az-IR azb bal bdz bej bft bgn bgp bhe bhm bjm bqi \
        brh brk bsh bsk chg cja ckb clh dcc def deh dgl dmk dml esh fa fay faz fia fub gbz ggg gha ghr gig gjk \
        gju glh glk grr gwc gwf gwt gzi ha-CM ha-SD hac haz hkh hnd hno hoh hrz hss isk jad jat jbn jdg jnd jog \
        kbu kby kcy kfm khw kk-AF kk-CN kk-IR kk-MN klj kmz ks ktl ku-IQ ku-IR ku-LB kvx kxp ky-CN lah lki lrc \
        lrk lrl lsa lss luv luz mby mde mey mfa mfi mhj mki mnj ms-CC mve mvy mzb mzn nli nlm ntz nyq odk omy \
        oru ota pa-PK pbt phl phr phv plk prc prd prx ps psh psi pst qxq rdb rmt sbn scl sd sdb sdf sdg sdh sds \
        sgr sgy shd shm shu shv siy siz skr smy sqo sqt srh srz ssh sts swb tg-PK tjo tks tov tra trm trw ug ur \
        ush uz-AF uzs vaf vgr vmh wbk wne wni wsv xhe xka xkc xkj xkp xvi ydg zba zdj zum Armi: arc Armn: axm hy \
        hyw rmi Avst: ae Bali: kaw Bamu: bax Batk: btd btm Beng: aot as bn bpy cdz ctg der grt kdq mni oak rah \
        rkt sdr syl unr unx Bopo: hmj hmq Brah: kho pka pmh psu xtq Cakm: ccp tnv Cans: cr crj crk crl crm csw \
        iu nsk oj ojs Cari: xcr Cham: cjm Cher: chr Chrs: xco Copt: cop Cprt: ecy Cyrl: ab abq ady agx akv alr \
        alt ani aqc atv av az-RU ba be bg bhh bph bua bxm ce chm cji ckt clw crh cu cv dar ddo dlg dng enf enh \
        eve evn gdo gin gld huz inh itl jct jdt kaa kap kbd kca ket khv kim kjh kk koi kpt kpy krc krk ku-AM \
        ku-AZ ku-GE ku-TM kum kv kva ky lbe lez mdf mk mn mns mrj mtm mud myv ndf neg nio niv nog oaa oac omk \
        orv os osd paq pnt-RU rsk ru rue rut sah sel sgh sia sjd sjt sr sty tab tg tin tt tyv ude udi udm ug-KZ \
        ug-MN ugh uk ulc uz-CN xal xas xdq xpm xrm xrn xwo yai ykg ykh ynk yrk ysr yug yux zko zkz Deva: agi ahr \
        anp anq anr aph asr awa bap bee bfb bfy bfz bgc bgd bgq bgw bha bhb bhd bhi bhj bho bht bhu bix biy bjj \
        bmj bns bpx bra brd brx btv byh byw cdh cdj cdm cdn chx cih ctn daq dhi dhw doi drq dry dty duh dus dwz \
        emg emu fmu gbk gbm gdx ghe goj gok gon gra gvr gyo hi hif hlb hne hoc hoj hoy hut jee jml jnl jns jul \
        kex kfb kfk kfp kfq kfr kfs kfu kfx kfy kgj khn kif kip kjl kjo kkt kle klr kmj knn kok kra kru ksz kte \
        kwx kyv kyw kzq lae lbf lbm lbr lhm lif lmh loy luu mag mai mgp mjl mjt mjz mkb mke mr mrr mtr mut mwr \
        nao ncd ne new nll nlx nmm noe noi nwx ola oon pch pci pgg phd phw pi-IN pum pwr raa rab raf raj rav rji \
        rjs rtw rwr sa sck scp sd-IN sgj sjp skj soi srx suz swv syw taj tcn tdb tdg tdh tge the thf thl thq thr \
        ths tij tkb tkt ttz unr-NP vah vas vav vay vjk wbr wly wme wtm xnr xsr ybh ybi Egyp: egy Elym: xly Ethi: \
        agj ahg alw am anu awn bcq bst byn dox drs gez gmv gof gru har hdy ior kqy ktb mdx mdy muz mvz mym sgw \
        stv ti tig wal wle xan zwa Geor: bbl jge ka lzz-GE oav sva xmf Gonm: esg Goth: got Gran: oty Grek: aat \
        bgx cpg ecr el grc pnt scx tsd uum xpg yej Gujr: cdi dhn dho dub gas gbl gu Guru: pa Hang: jje okm Hani: \
        how oko swi zch zeh zgb zgm zgn zhd zlj zln zlq zqe zyg zyn zzj Hans: cdo cjy cnp cpx csp czh gan hak \
        hnm hsn luh mnp nan sjc wuu yue-CN zh Hant: hak-TW ltc lzh nan-MO nan-TW yue zh-AU zh-BN zh-GB zh-GF \
        zh-HK zh-ID zh-MO zh-PA zh-PF zh-PH zh-SR zh-TH zh-TW zh-US zh-VN Hebr: aij czk hbo he huy itk jbe jpa \
        jpr jrb jye lad lsd trg yhd yi yih yud zrp Hluw: hlu Hmnp: hnj mww Ital: ett osc pgn xve Java: osi tes \
        Jpan: ams ja yoi Jurc: juc Kali: eky kvy kyu Kana: ain ryu Khar: pgd Khmr: brb km krr krv okz pcb rka \
        smu tpu xhm xkk Kits: zkt Knda: brw kfa kfd kfg kn sle tcy vmd Kore: ko Lana: cuu kkh nod stu Laoo: alk \
        brv kjg kuf lbo lo ncq nev ngt oyb pho pnx sct sqq sss tth tto Latf: gml Latg: mga Latn: abq-TR ky-TR \
        mey-SN pnt-TR sr-ME sr-RO sr-TR Lepc: lep Lina: lab Linb: gmy Lisu: lis Lyci: imy xlc Lydi: xld Mand: \
        mid myz Mani: xmn Marc: xzh Medf: dmf Merc: xmr Mlym: aaf all kev kfh mjq mjr mjv ml pcf pcg pkr udg yea \
        Modi: omr Mong: bxu mn-CN mnc mvf Mroo: mro Mtei: omp Mymr: aio blk bwe csh csj dnu dnv hpo int jkp kht \
        kjp ksu ksw kvq kvt kxf kxk mnw mwt my obr omx pce phk pi-MM pll pwo pyx rbb rki rmz shn tco tjl tvn yin \
        zkn Narb: xna Newa: nwc Nkoo: nqo Ogam: pgl xpi Olck: sat Orkh: otk Orya: bdv bfw dso dwk gaq gbj gdb \
        jun juy or peg rei spv uki xis zrg Osge: osa Ougr: oui Pauc: ctd Phli: pal Phnx: obm phn Plrd: hmd ktp \
        lpo sfm ygp yna ysy ywq ywu Prti: xpr Rjng: abl Rohg: rhg Runr: non nrn sxu Samr: sam smp Sarb: xsa \
        Saur: saz Seal: och Sgnw: ase Sidt: xsd Sinh: pi-LK si Sogd: sog Sora: srb Soyo: cmg Syrc: aii amw bhn \
        bjf hrt kqd lhs oar syc syn syr tmr Tagb: tbk Takr: hii jna scu Tale: stu-CN tdd thi Talu: khb Taml: bfq \
        ctt cty era iru kfe kfi muv ta tcx vaa xua xub xuj Tang: txg Tavt: blt soa tyr Telu: cde gau key kfc lmn \
        mju nit ort pcj te wbq wsg yeu Tfng: cnu gho shi tda zen zgh Thaa: dv Thai: bzi cbn cog kdt khf kjt kxm \
        lcp lwl lwm mkm mlf mpz mra nyl nyw pht phu pi-TH prt pww skb sou th thm tts ugo urk yoy Tibt: adx bfu \
        bkk bo bro cgk cna dka dre dz dzl ght goe jda jya kbg kgy khg kjz kkf lbj lkh luk lya muk neh npb ole \
        otb sbu sgt sip spt tgf tsj twm xkf zau Tnsa: nst Toto: txo Ugar: uga Vaii: vai Wcho: nnp Xpeo: peo \
        Xsux: akk hit htx nei oht Yiii: ii nos nsd nsf nsv nty smh yig yiv ysd ysn ysp
        """

    /// Whose speakers also read what is in a wider variety, or in another language.
    static let parents = """
        en-001: en-150 en-AG en-AI en-AU en-BB en-BM en-BS en-BW en-BZ en-CC en-CK en-CM en-CX en-CY en-DG en-DM \
        en-ER en-FJ en-FK en-FM en-GB en-GD en-GG en-GH en-GI en-GM en-GS en-GY en-HK en-ID en-IE en-IL en-IM \
        en-IN en-IO en-JE en-JM en-KE en-KI en-KN en-KY en-LC en-LR en-LS en-MG en-MO en-MS en-MT en-MU en-MV \
        en-MW en-MY en-NA en-NF en-NG en-NR en-NU en-NZ en-PG en-PK en-PN en-PW en-RW en-SB en-SC en-SD en-SG \
        en-SH en-SL en-SS en-SX en-SZ en-TC en-TK en-TO en-TT en-TV en-TZ en-UG en-VC en-VG en-VU en-WS en-ZA \
        en-ZM en-ZW en-150: en-AT en-BE en-CH en-CZ en-DE en-DK en-EE en-ES en-FI en-FR en-GE en-HU en-IT en-LT \
        en-LV en-NL en-NO en-PL en-PT en-RO en-SE en-SI en-SK en-UA es-419: es-AR es-BO es-BR es-BZ es-CL es-CO \
        es-CR es-CU es-DO es-EC es-GT es-HN es-JP es-MX es-NI es-PA es-PE es-PR es-PY es-SV es-US es-UY es-VE \
        no: nn pt-PT: pt-AO pt-CH pt-CV pt-FR pt-GQ pt-GW pt-LU pt-MO pt-MZ pt-ST pt-TL zh-HK: zh-MO
        """
}
