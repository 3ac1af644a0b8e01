import type { wizards as English } from '../../../en/bot/studio/wizards.ts'
import { amount } from '../../amount.ts'

/** The wizards of dialogues. */
export const wizards: typeof English = {
  title: 'Dialog hinzufügen',
  choose:
    'Wählen Sie, was der Bot tun soll. Danach können Sie den Dialog wie jeden anderen Ablauf ' +
    'bearbeiten.',
  language: 'Sprache der Texte',
  kinds: {
    contact: {
      title: 'Kontaktformular',
      hint: 'Fragt nach Name, E-Mail und Nachricht, speichert sie und gibt einem Menschen Bescheid.',
    },
    booking: {
      title: 'Buchung mit freien Zeiten',
      hint: 'Bietet freie Zeiten an, bucht eine und ändert oder storniert sie später.',
    },
    order: {
      title: 'Bestellstatus',
      hint: 'Findet eine Bestellung über ihre Nummer in einer Tabelle und nennt den Status.',
    },
    rating: {
      title: 'Zufriedenheit',
      hint: 'Fragt nach einer Bewertung von 1 bis 5 und einem Kommentar.',
    },
    own: {
      title: 'Eigene Fragen',
      hint: 'Fragt, was Sie wissen möchten, und speichert die Antworten.',
    },
  },
  back: 'Anderen Dialog wählen',
  create: 'Zum Entwurf hinzufügen',
  faults: (count: number) => `${amount(count, 'Feld', 'Felder')} zu korrigieren`,
  name: 'Name des Dialogs',
  // Questions.
  questions: 'Fragen',
  question: (number: number) => `Frage ${number}`,
  answerName: 'Kurzname',
  answerNameHint: 'Für die Tabelle, und für die Zusammenfassung, die der Besucher sieht.',
  ask: 'Frage',
  kind: 'Antwort',
  choices: 'Möglichkeiten, eine pro Zeile',
  isOptional: 'Der Besucher darf sie überspringen',
  add: 'Frage hinzufügen',
  presets: {
    name: 'Name',
    email: 'E-Mail',
    phone: 'Telefon',
    date: 'Datum',
    message: 'Nachricht',
  },
  isConfirmed: 'Vor dem Speichern fragen, ob die Antworten stimmen',
  closing: 'Letzte Nachricht',
  tellsPerson: 'Die Unterhaltung dann an einen Menschen übergeben',
  tellsPersonHint:
    'Ihre Kolleginnen und Kollegen sehen sie im Posteingang, mit einer Zusammenfassung. Der Bot ' +
    'schweigt, bis sie die Übergabe schließen.',
  // Bookings.
  hours: 'Öffnungszeiten',
  hoursHint:
    'Zum Beispiel 09:00-12:00, 13:00-17:00. Lassen Sie einen Tag leer, an dem man nichts buchen ' +
    'kann.',
  days: ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'],
  minutes: 'Dauer einer Buchung in Minuten',
  capacity: 'Buchungen zur selben Zeit',
  noticeHours: 'Späteste Buchung, in Stunden davor',
  daysAhead: 'Früheste Buchung, in Tagen davor',
  timezone: 'Zeitzone',
  timezoneHint:
    'Sie wird zur Zeitzone des Bots. Auch seine anderen Abläufe lesen Datumsangaben darin.',
  timezoneKnown: (zone: string) => `Zeiten gelten in der Zeitzone des Bots: ${zone}.`,
  // Tables.
  table: 'Tabelle',
  storedIn: 'Antworten speichern in',
  ordersIn: 'Bestellungen stehen in',
  newTable: 'Neue Tabelle',
  noTable: 'Keine Tabelle',
  tableName: 'Name der neuen Tabelle',
  newColumns: (columns: string) =>
    'Die Tabelle entsteht nach dem Veröffentlichen, sobald der erste Besucher den Dialog nutzt. ' +
    `Spalten: ${columns}.`,
  columnFor: (name: string) => `Spalte für: ${name}`,
  newColumn: 'Neue Spalte',
  notStored: 'Nicht gespeichert',
  keyHint:
    'Buchungen brauchen eine Tabelle, deren Schlüsselspalte ein Text ist. Andere stehen nicht in ' +
    'der Liste.',
  parts: {
    slot: 'Zeit und Platz (eindeutig)',
    time: 'Zeit (UTC)',
    local: 'Zeit in der Zeitzone des Bots',
    code: 'Buchungsnummer',
    status: 'Status',
    rating: 'Bewertung',
    comment: 'Kommentar',
  } as Record<string, string>,
  numberColumn: 'Spalte mit der Bestellnummer',
  checkColumn: 'Zweite Spalte, die passen muss, zum Beispiel die E-Mail',
  checkHint: 'Ohne sie liest jeder den Status, der eine Nummer kennt.',
  noCheck: 'Keine',
  sentence: 'Antwort',
  sentenceHint: (columns: string) =>
    `Spalten in geschweiften Klammern werden durch ihre Werte ersetzt: ${columns}`,
  offersPerson: 'Einen Menschen anbieten, wenn die Bestellung nicht gefunden wird',
  // Ratings.
  rating: 'Frage',
  asksComment: 'Nach einem Kommentar fragen, den man überspringen kann',
  lowUpTo: 'Einen Menschen anbieten',
  low: ['Nie', 'Bei 1', 'Bei 1 oder 2', 'Bei 1 bis 3', 'Bei 1 bis 4'],
  afterHandoff: 'Auch fragen, wenn ein Mensch eine Unterhaltung geschlossen hat',
  // Ways into it.
  reach: 'Wie Besucher ihn erreichen',
  words: 'Wörter, die ihn beginnen',
  wordsHint:
    'Mit Kommas dazwischen. Eine Nachricht, die eines enthält, beginnt den Dialog.',
  button: 'Schaltfläche',
  buttonHint: 'Leer: keine Schaltfläche.',
  greeting: 'Ort der Schaltfläche',
  below: (text: string) => `Unter „${text}“`,
  newGreeting: 'In einer neuen Begrüßung, wenn eine Unterhaltung beginnt',
  greetingText: 'Text über der Schaltfläche',
  greetingTextHint: 'Falls die Begrüßung noch keine Schaltflächen hat.',
  // What it makes.
  makes: 'Das kommt zum Entwurf hinzu',
  makesFlow: (name: string, steps: number) =>
    `Der Ablauf ${name}, mit ${amount(steps, 'Schritt', 'Schritten')}`,
  makesTable: (name: string) => `Die Tabelle ${name}`,
  makesColumn: (table: string) => `Eine Spalte der Tabelle ${table}`,
  makesTrigger: (name: string) => `Der Auslöser ${name}`,
  makesButton: (flow: string) => `Eine Schaltfläche (${flow})`,
  makesTimezone: (zone: string) => `Die Zeitzone des Bots: ${zone}`,
}
