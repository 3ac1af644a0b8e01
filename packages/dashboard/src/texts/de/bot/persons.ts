import type { persons as English } from '../../en/bot/persons.ts'
import { amount } from '../amount.ts'

export const persons: typeof English = {
  title: 'Auch bekannt als',
  hint:
    'Nutzer anderer Kanäle, die dieselbe Person sind. Sie teilen sich die Variablen, die der Bot ' +
    'zu einem Nutzer speichert.',
  none: 'Keine anderen Nutzer',
  addresses: 'Adressen',
  noAddresses: 'Keine Adressen',
  proofs: {
    'mail-server': 'vom Mailserver bestätigt',
    provider: 'vom Anbieter bestätigt',
    signature: 'in einem signierten Nutzerschlüssel',
    account: 'von einem Mitglied bestätigt',
    bot: 'vom Bot bestätigt',
  },
  claimed: 'nicht bestätigt',
  alsoClaimed: 'auch unbestätigt verwendet',
  joined: {
    email: 'zusammengeführt über die E-Mail-Adresse',
    phone: 'zusammengeführt über die Telefonnummer',
    id: 'zusammengeführt über eine signierte ID',
    account: 'zusammengeführt von einem Mitglied',
    bot: 'zusammengeführt vom Bot',
  },
  suggestions: 'Vielleicht dieselbe Person',
  suggestion: (address: string) => `schreibt auch unter ${address}`,
  merge: 'Zusammenführen',
  mergeWith: (name: string) => `Mit ${name} zusammenführen`,
  mergeTitle: 'Zwei Nutzer zusammenführen?',
  mergeText:
    'Beide teilen sich dann die Variablen, die der Bot zu einem Nutzer speichert. Haben beide ' +
    'einen Wert, gilt der zuletzt geschriebene. Ihre Unterhaltungen bleiben in ihren Kanälen. ' +
    'Sie können die Nutzer wieder trennen.',
  merged: 'Die Nutzer sind jetzt eine Person',
  other: 'Anderer Nutzer',
  apart: 'Verschiedene Personen',
  keptApart: 'Die Nutzer bleiben getrennt',
  split: 'Trennen',
  splitOff: (name: string) => `${name} trennen`,
  splitTitle: 'Diesen Nutzer trennen?',
  splitText:
    'Er erhält die Variablen zurück, die er vor dem Zusammenführen hatte, mit allem, was seitdem ' +
    'in seinen eigenen Unterhaltungen geschrieben wurde. Keine Regel führt diese Nutzer wieder ' +
    'zusammen.',
  isSplit: 'Der Nutzer ist wieder eine eigene Person',
  rules: {
    button: 'Dieselbe Person',
    title: 'Nutzer, die eine Person sind',
    hint:
      'Nutzer zusammenführen, wenn einer davon schreibt und bei beiden übereinstimmt und ' +
      'bestätigt ist:',
    kinds: { email: 'E-Mail-Adresse', phone: 'Telefonnummer', id: 'Signierte ID' },
    kindHints: {
      email: 'Laut Mailserver oder signiertem Nutzerschlüssel',
      phone: 'Aus SMS, WhatsApp oder signiertem Nutzerschlüssel',
      id: 'Aus Nutzerschlüsseln, die Sie signieren, oder laut Ihrem Bot',
    },
    about: 'So werden Adressen bestätigt',
    found: 'Vorschläge',
    noSuggestions: 'Keine zwei Nutzer haben dieselbe Adresse',
    users: (count: number) => amount(count, 'Nutzer', 'Nutzer'),
  },
}
