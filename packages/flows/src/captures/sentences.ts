// The sentences of captures without a message of the author, and their translations.

export const sentences = {
  raw: 'Please say that again.',
  text: 'Please answer in words.',
  number: 'That is not a number. Please write one number.',
  boolean: 'Please answer with yes or no.',
  confirmation: 'Please answer with yes or no.',
  email: 'That is not an e-mail address.',
  phone:
    'That is not a phone number. Please write it with the country code, like +41 44 123 45 67.',
  url: 'That is not a web address.',
  date: 'That is not a date. Please write it like 2026-03-24.',
  singleChoice: 'Please choose one of the options.',
  multipleChoice: 'Please choose from the options. Separate several with commas.',
  regex: 'That does not have the expected format.',
  file: 'Please send a file.',
}

/** Before buttons, when an answer may mean several dates or numbers. */
export const whichReading = 'Which one do you mean?'

/** Labels of the buttons of confirmations. */
export const yesOrNo = { yes: 'Yes', no: 'No' }

/** By the name of their keys. */
export const allSentences = { ...sentences, ...yesOrNo, reading: whichReading }

/** By language. Bots of flows with a language have these without an own translation. */
export const translatedSentences: Record<string, Record<string, string>> = {
  de: {
    raw: 'Bitte sagen Sie das noch einmal.',
    text: 'Bitte antworten Sie mit Worten.',
    number: 'Das ist keine Zahl. Bitte schreiben Sie eine Zahl.',
    confirmation: 'Bitte antworten Sie mit Ja oder Nein.',
    email: 'Das ist keine E-Mail-Adresse.',
    phone:
      'Das ist keine Telefonnummer. Bitte schreiben Sie sie mit der Landesvorwahl, wie +41 44 123 45 67.',
    url: 'Das ist keine Webadresse.',
    date: 'Das ist kein Datum. Bitte schreiben Sie es wie 2026-03-24.',
    singleChoice: 'Bitte wählen Sie eine der Möglichkeiten.',
    multipleChoice:
      'Bitte wählen Sie aus den Möglichkeiten. Trennen Sie mehrere mit Kommas.',
    regex: 'Das hat nicht die erwartete Form.',
    file: 'Bitte senden Sie eine Datei.',
    reading: 'Was davon meinen Sie?',
    yes: 'Ja',
    no: 'Nein',
  },
  fr: {
    raw: 'Pouvez-vous répéter, s’il vous plaît ?',
    text: 'Veuillez répondre avec des mots.',
    number: 'Ce n’est pas un nombre. Veuillez écrire un nombre.',
    confirmation: 'Veuillez répondre par oui ou par non.',
    email: 'Ce n’est pas une adresse e-mail.',
    phone:
      'Ce n’est pas un numéro de téléphone. Veuillez l’écrire avec l’indicatif, comme +41 44 123 45 67.',
    url: 'Ce n’est pas une adresse web.',
    date: 'Ce n’est pas une date. Veuillez l’écrire comme 2026-03-24.',
    singleChoice: 'Veuillez choisir une des options.',
    multipleChoice:
      'Veuillez choisir parmi les options. Séparez-en plusieurs par des virgules.',
    regex: 'Cela n’a pas le format attendu.',
    file: 'Veuillez envoyer un fichier.',
    reading: 'Que voulez-vous dire ?',
    yes: 'Oui',
    no: 'Non',
  },
  es: {
    raw: 'Por favor, repítalo.',
    text: 'Por favor, responda con palabras.',
    number: 'Eso no es un número. Por favor, escriba un número.',
    confirmation: 'Por favor, responda sí o no.',
    email: 'Eso no es una dirección de correo electrónico.',
    phone:
      'Eso no es un número de teléfono. Por favor, escríbalo con el prefijo del país, como +41 44 123 45 67.',
    url: 'Eso no es una dirección web.',
    date: 'Eso no es una fecha. Por favor, escríbala como 2026-03-24.',
    singleChoice: 'Por favor, elija una de las opciones.',
    multipleChoice: 'Por favor, elija entre las opciones. Separe varias con comas.',
    regex: 'Eso no tiene el formato esperado.',
    file: 'Por favor, envíe un archivo.',
    reading: '¿A cuál se refiere?',
    yes: 'Sí',
    no: 'No',
  },
  it: {
    raw: 'Può ripetere, per favore?',
    text: 'Per favore, risponda a parole.',
    number: 'Questo non è un numero. Per favore, scriva un numero.',
    confirmation: 'Per favore, risponda sì o no.',
    email: 'Questo non è un indirizzo e-mail.',
    phone:
      'Questo non è un numero di telefono. Lo scriva con il prefisso del paese, come +41 44 123 45 67.',
    url: 'Questo non è un indirizzo web.',
    date: 'Questa non è una data. Per favore, la scriva come 2026-03-24.',
    singleChoice: 'Per favore, scelga una delle opzioni.',
    multipleChoice: 'Per favore, scelga tra le opzioni. Ne separi diverse con virgole.',
    regex: 'Questo non ha il formato previsto.',
    file: 'Per favore, invii un file.',
    reading: 'Quale intende?',
    yes: 'Sì',
    no: 'No',
  },
  pt: {
    raw: 'Por favor, repita.',
    text: 'Por favor, responda com palavras.',
    number: 'Isso não é um número. Por favor, escreva um número.',
    confirmation: 'Por favor, responda sim ou não.',
    email: 'Isso não é um endereço de e-mail.',
    phone:
      'Isso não é um número de telefone. Por favor, escreva-o com o código do país, como +41 44 123 45 67.',
    url: 'Isso não é um endereço da web.',
    date: 'Isso não é uma data. Por favor, escreva-a como 2026-03-24.',
    singleChoice: 'Por favor, escolha uma das opções.',
    multipleChoice: 'Por favor, escolha entre as opções. Separe várias com vírgulas.',
    regex: 'Isso não tem o formato esperado.',
    file: 'Por favor, envie um arquivo.',
    reading: 'Qual quer dizer?',
    yes: 'Sim',
    no: 'Não',
  },
  nl: {
    raw: 'Kunt u dat nog eens zeggen?',
    text: 'Antwoord alstublieft met woorden.',
    number: 'Dat is geen getal. Schrijf alstublieft één getal.',
    confirmation: 'Antwoord alstublieft met ja of nee.',
    email: 'Dat is geen e-mailadres.',
    phone:
      'Dat is geen telefoonnummer. Schrijf het alstublieft met het landnummer, zoals +41 44 123 45 67.',
    url: 'Dat is geen webadres.',
    date: 'Dat is geen datum. Schrijf hem alstublieft als 2026-03-24.',
    singleChoice: 'Kies alstublieft een van de opties.',
    multipleChoice: 'Kies alstublieft uit de opties. Scheid er meer met komma’s.',
    regex: 'Dat heeft niet de verwachte vorm.',
    file: 'Stuur alstublieft een bestand.',
    reading: 'Wat bedoelt u?',
    yes: 'Ja',
    no: 'Nee',
  },
}
