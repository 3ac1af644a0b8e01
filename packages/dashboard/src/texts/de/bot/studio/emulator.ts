import type { emulator as English } from '../../../en/bot/studio/emulator.ts'

export const emulator: typeof English = {
  title: 'Bot ausprobieren',
  name: 'Mitglied',
  newConversation: 'Neue Unterhaltung',
  noChat: 'Die Integration „chat“ ist in diesem Bot nicht installiert',
  noChatHint: 'Über sie erreichen Nachrichten von hier den Bot.',
  installChat: 'Chat installieren',
  placeholder: 'Nachricht schreiben',
  message: 'Ihre Nachricht',
  send: 'Senden',
  attach: 'Datei anhängen',
  empty: 'Schreiben Sie „Hallo“',
  emptyHint: 'Hier erscheinen die Antworten des Bots.',
  older: 'Ältere Nachrichten',
  typing: 'Der Bot schreibt',
  sending: 'Wird gesendet …',
  answering: 'Der Bot antwortet …',
  nextAttempt: (number: number, max: number, seconds: number) =>
    seconds > 0
      ? `Fehler des Bots. Versuch ${number} von ${max} in ${seconds} s …`
      : `Versuch ${number} von ${max} …`,
  traceOf: 'Warum diese Antwort?',
  good: 'Gute Antwort',
  bad: 'Schlechte Antwort',
  rated: 'Die Frage steht jetzt in dieser Liste:',
  failed: 'Der Bot konnte diese Nachricht nicht verarbeiten',
  failedElse: 'Der Bot konnte ein Ereignis dieser Unterhaltung nicht verarbeiten',
  traceOfFailure: 'Warum?',
  notSent: 'Nicht gesendet',
  resend: 'Erneut senden',
  log: 'Unterhaltung',
  offline: 'Verbindung wird wiederhergestellt …',
}
