import type { firstSteps as English } from '../../en/bot/first-steps.ts'

export const firstSteps: typeof English = {
  title: 'Erste Schritte',
  count: (done: number, all: number) => `${done} von ${all} erledigt`,
  done: 'Erledigt:',
  dismiss: 'Nicht mehr anzeigen',
  changeFlows: 'Andere Nachrichten in „Abläufe“ ändern',
  steps: {
    talk: {
      title: 'Mit dem Bot schreiben',
      hint: 'Schreiben Sie ihm, wie es ein Besucher tun würde.',
    },
    document: {
      title: 'Ein Dokument hinzufügen',
      hint: 'Der Bot beantwortet Fragen aus Ihren Dateien und Websites.',
    },
    greeting: {
      title: 'Die Begrüßung festlegen',
      hint: 'Besucher lesen sie, bevor sie schreiben.',
    },
    website: {
      title: 'Den Bot auf Ihre Website bringen',
      hint:
        'Kopieren Sie die Code-Zeile in Ihre Seiten, und tragen Sie Ihre Website unter „Erlaubte ' +
        'Websites“ ein.',
    },
    invite: {
      title: 'Jemanden einladen',
      hint: 'Kolleginnen und Kollegen antworten im Posteingang oder ändern den Bot mit Ihnen.',
    },
    channel: {
      title: 'Einen Kanal verbinden',
      hint: 'Dann ist der Bot über WhatsApp, Telegram, E-Mail und andere erreichbar.',
    },
    handoff: {
      title: 'Anstelle des Bots antworten',
      hint:
        'Öffnen Sie eine Unterhaltung, und drücken Sie „Übernehmen“. Geben Sie sie danach an den ' +
        'Bot zurück.',
    },
  },
}
