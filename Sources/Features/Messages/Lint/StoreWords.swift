/// The words by which rules of docs/store-rules.md are recognized, by language. A phrase is a set of words within one sentence,
/// in any order; words of more than three letters are prefixes.
enum StoreWords {
    static let rating = [
        "en": [
            "rate us", "rate app", "rate this", "review us", "leave review", "write review", "five stars", "5 stars",
        ],
        "es": [
            "valora app", "valora aplicación", "valóranos", "califica app", "califícanos", "deja reseña",
            "escribe reseña",
            "cinco estrellas", "5 estrellas",
        ],
        "de": ["bewert app", "bewert uns", "bewertung schreib", "rezension schreib", "fünf sterne", "5 sterne"],
        "fr": [
            "notez app", "notez application", "notez nous", "évaluez app", "évaluez application", "laissez avis",
            "écrivez avis", "cinq étoiles", "5 étoiles",
        ],
        "it": [
            "valuta app", "valutaci", "recensisci", "lascia recensione", "scrivi recensione", "cinque stelle",
            "5 stelle",
        ],
        "pt": [
            "avalie app", "avalie aplicativo", "avalie nos", "deixe avaliação", "escreva avaliação", "cinco estrelas",
            "5 estrelas",
        ],
    ]

    static let reward = [
        "en": ["free", "gift", "reward", "discount", "coins", "bonus", "prize", "win", "unlock"],
        "es": ["gratis", "regalo", "recompensa", "descuento", "monedas", "premio", "gana"],
        "de": ["gratis", "kostenlos", "geschenk", "belohn", "rabatt", "münzen", "bonus", "prämie", "gewinn"],
        "fr": ["gratuit", "cadeau", "récompense", "remise", "réduction", "bonus", "gagne"],
        "it": ["gratis", "regalo", "ricompensa", "sconto", "monete", "bonus", "premio", "vinci"],
        "pt": ["grátis", "presente", "recompensa", "desconto", "moedas", "bônus", "prêmio", "ganhe"],
    ]

    static let code = [
        "en": ["hidden feature", "secret feature", "secret menu", "sideload", "jailbreak"],
        "es": ["función oculta", "función secreta", "menú secreto", "jailbreak"],
        "de": ["versteckte funktion", "geheime funktion", "geheimes menü", "jailbreak"],
        "fr": ["fonction cachée", "fonction secrète", "menu secret", "jailbreak"],
        "it": ["funzione nascosta", "funzione segreta", "menu segreto", "jailbreak"],
        "pt": ["função oculta", "função secreta", "recurso oculto", "menu secreto", "jailbreak"],
    ]
    /// Files that contain code, or install something.
    static let codeFiles = [
        ".js", ".wasm", ".dylib", ".so", ".lua", ".jar", ".dex", ".apk", ".ipa", ".exe", ".mobileconfig", ".plist",
    ]

    static let selling = [
        "en": ["buy", "subscrib", "purchas", "credit card"],
        "es": ["compra", "suscríb", "suscrib", "tarjeta crédito"],
        "de": ["kauf", "abonnier", "abo", "kreditkarte"],
        "fr": ["achet", "abonne", "carte bancaire", "carte crédit"],
        "it": ["compra", "acquist", "abbona", "carta credito"],
        "pt": ["compr", "assin", "cartão crédito"],
    ]
    /// Hosts of payment services.
    static let payment = [
        "paypal.com", "paypal.me", "stripe.com", "gumroad.com", "patreon.com", "ko-fi.com", "buymeacoffee.com",
        "paddle.com",
    ]

    static let currencies: Set = [
        "usd", "eur", "gbp", "jpy", "chf", "cad", "aud", "mxn", "brl", "inr", "euro", "euros", "dollar", "dollars",
        "dólares", "dólar", "pesos", "reais", "franken", "francs", "pounds", "yen",
    ]

    static let permission = [
        "en": [
            "allow tracking", "enable tracking", "accept tracking", "allow notifications", "enable notifications",
            "turn notifications", "allow location", "share location",
        ],
        "es": [
            "permit seguimiento", "permit rastreo", "permit notificaciones", "activa notificaciones",
            "permit ubicación",
        ],
        "de": [
            "erlaub tracking", "erlaub mitteilungen", "aktivier mitteilungen", "erlaub benachrichtigungen",
            "aktivier benachrichtigungen", "erlaub standort",
        ],
        "fr": ["autoris suivi", "autoris notifications", "activez notifications", "autoris localisation"],
        "it": ["consent tracciamento", "consent notifiche", "attiva notifiche", "consent posizione"],
        "pt": ["permit rastreamento", "permit notificações", "ative notificações", "permit localização"],
    ]

    static let personal = [
        "en": ["mail address", "email address", "phone number", "birthday", "password", "newsletter", "mailing list"],
        "es": ["correo electrónico", "número teléfono", "fecha nacimiento", "contraseña", "boletín", "newsletter"],
        "de": ["mailadresse", "mail adresse", "telefonnummer", "geburtstag", "passwort", "newsletter"],
        "fr": ["adresse mail", "courriel", "numéro téléphone", "date naissance", "mot passe", "newsletter"],
        "it": ["indirizzo mail", "numero telefono", "data nascita", "password", "newsletter"],
        "pt": ["endereço mail", "número telefone", "data nascimento", "senha", "boletim", "newsletter"],
    ]
    static let privacy = [
        "en": ["privacy"], "es": ["privacidad"], "de": ["datenschutz"], "fr": ["confidentialité", "vie privée"],
        "it": ["privacy", "riservatezza"], "pt": ["privacidade"],
    ]

    /// Labels that are placeholders.
    static let pictures: Set = [
        "image", "picture", "photo", "icon", "img", "imagen", "foto", "icono", "bild", "symbol", "photographie",
        "immagine", "imagem", "ícone",
    ]
    static let pictureFiles = [".png", ".jpg", ".jpeg", ".gif", ".heic", ".webp", ".svg"]
}
