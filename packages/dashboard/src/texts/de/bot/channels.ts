import type { channels as English } from '../../en/bot/channels.ts'

export const channels: typeof English = {
  choose: 'Kanal oder Dienst verbinden',
  chooseHint: 'Dort schreiben Menschen dem Bot. Wählen Sie, wo:',
  others: 'Andere Kanäle und Dienste',
  othersHint:
    'Solche, die Sie oder andere auf diesem Server als Integrationen bereitgestellt haben.',
  ways: 'Anbieter',
  steps: 'Schritte',
  laterSteps: 'Nach dem Verbinden',
  doneSteps: (count: number) => `Schritte vor dem Verbinden (${count})`,
  values: (count: number) => `Weitere Einstellungen (${count})`,
  connect: 'Verbinden',
  connectStep: (title: string) => `${title} verbinden`,
  connectHint:
    'Der Server fragt den Anbieter, ob er die Werte annimmt, bevor er sie speichert.',
  checking: 'Der Anbieter wird gefragt …',
  right: (account: string | undefined) =>
    account === undefined
      ? 'Der Anbieter nimmt sie an.'
      : `Der Anbieter nimmt sie an: ${account}`,
  unproved: (titles: string) =>
    `Noch nicht geprüft: ${titles}. Der Anbieter kann das nicht bestätigen; erst die erste ` +
    'Nachricht zeigt, ob es stimmt.',
  correct: 'Werte ändern',
  addressSetting: 'Öffentliche Adresse festlegen',
  saveStep: 'Werte speichern',
  addressDocs: 'So bekommen Sie eine öffentliche Adresse',
  refused: 'Nicht gespeichert: Die bisherigen Werte bleiben',
  saveAnyway: 'Trotzdem speichern',
  notRight: 'Diese Werte funktionieren noch nicht',
  doubt:
    'Ein Wert oben sieht nicht richtig aus, deshalb wird er nicht von selbst geprüft. Sie können ' +
    'ihn trotzdem ausprobieren.',
  missing: (titles: string) => `Es fehlt noch: ${titles}.`,
  invent: 'Neu erzeugen',
  spaced:
    'Darin ist ein Leerzeichen oder ein Zeilenumbruch: Entfernen Sie es, oder kopieren Sie den ' +
    'Wert noch einmal.',
  existing: (aliases: string) =>
    `Dieser Bot hat diesen Kanal schon: ${aliases}. Unten können Sie ein weiteres Konto verbinden.`,
  openExisting: (alias: string) => `${alias} öffnen`,
  connected: (title: string) => `${title} ist verbunden`,
  copyFile: (name: string) => `${name} kopieren`,
  download: (name: string) => `${name} herunterladen`,
  afterConnecting: 'nach dem Verbinden bekannt',
  firstMessage: 'Erste Nachricht schreiben',
  qrCode: 'QR-Code, der einen Chat mit dem Bot öffnet',
  qrHint: 'Scannen Sie ihn mit dem Telefon, oder öffnen Sie den Link.',
  state: 'Status',
  light: {
    green: 'Nachrichten kommen an',
    unsure: 'Nachrichten kommen an, aber die letzte Anfrage hatte eine falsche Signatur',
    waiting: 'Bereit: wartet auf die erste Nachricht',
    pending: 'Wird vorbereitet',
    red: 'Funktioniert nicht',
    off: 'Deaktiviert',
  },
  since: 'Status geändert',
  lastReceived: 'Zuletzt empfangen',
  lastSent: 'Zuletzt gesendet',
  account: 'Konto',
  by: {
    connection: 'über eine Verbindung dieses Servers',
    webhook: 'über einen Webhook',
  },
  receives: 'Empfang',
  problem: {
    receiving: 'Letztes Problem beim Empfangen',
    sending: 'Letztes Problem beim Senden',
  },
  isOver: 'Seitdem funktioniert es wieder.',
  verify: 'Jetzt prüfen',
  works: 'Der Anbieter nimmt die Werte an.',
  unasked:
    'Dieser Anbieter kann nicht gefragt werden: Senden Sie eine Testnachricht, oder schreiben ' +
    'Sie dem Bot.',
  stillFails: 'Gerade geprüft: Das Problem besteht noch.',
  settings: 'Einstellungen',
  test: 'Testnachricht senden',
  testHint: 'Sie geht an die neueste Unterhaltung dieses Kanals.',
  testTo: (address: string) => `${address}, oder leer für die neueste Unterhaltung`,
  send: 'Senden',
  noRecipient:
    'Schreiben Sie die erste Nachricht, oder geben Sie eine Adresse ein: Dann lässt sich die ' +
    'Testnachricht senden.',
  sentTo: (address: string) =>
    `Der Anbieter hat die Testnachricht angenommen, für: ${address}.`,
  sentToNewest:
    'Der Anbieter hat die Testnachricht für die neueste Unterhaltung angenommen.',
  openConversation: 'Unterhaltung öffnen',
  problems: 'Häufige Probleme',
  page: 'Schritte, Status und Testnachricht',
}
