import type { serverSettings as English } from '../en/server-settings.ts'
import { amount } from './amount.ts'

export const serverSettings: typeof English = {
  title: 'Server-Einstellungen',
  hint:
    'Einstellungen der ganzen Installation. Eine Änderung gilt sofort, auf allen Servern, ohne ' +
    'Neustart. Schlüssel und Passwörter werden verschlüsselt gespeichert und nie wieder ' +
    'angezeigt.',
  setBy: (variable: string) => `Auf dem Server durch ${variable} gesetzt`,
  setByHint:
    'Eine Umgebungsvariable hat Vorrang vor dieser Seite. Um die Einstellung hier zu ändern, ' +
    'entfernen Sie die Variable auf dem Server und starten ihn neu.',
  test: 'Testen',
  testing: 'Wird getestet …',
  works: 'Es funktioniert',
  worksNot: 'Es funktioniert nicht',
  notSaved: 'Noch nicht gespeichert.',
  saveAnyway: 'Trotzdem speichern',
  remove: 'Entfernen',
  removeOne: (setting: string) => `Einstellung „${setting}“ entfernen`,
  removeText: 'Der Server arbeitet sofort mit der Voreinstellung weiter.',
  removed: 'Entfernt',
  stored: 'gespeichert',
  storedHint: 'Leer lassen, um den gespeicherten Wert zu behalten.',
  address: {
    title: 'Öffentliche Adresse',
    hint:
      'Die Adresse, unter der Besucher, Messenger und Mitglieder diesen Server aus dem Internet ' +
      'erreichen. Sie steht in Links, in Webhooks und im Code für Websites.',
    url: 'Adresse',
    placeholder: 'https://bots.example.org',
    inUse: (url: string) => `Zurzeit verwendet: ${url}`,
    removeText:
      'Links und Webhooks erhalten dann die Adresse, auf der der Server lauscht.',
    after:
      'Speichern Sie nach einer Änderung die Konfiguration jedes verbundenen Messengers erneut: ' +
      'Er sendet noch an die bisherige Adresse. Mitglieder melden sich unter der neuen Adresse ' +
      'neu an.',
    open: (url: string) => `Dashboard öffnen: ${url}`,
  },
  model: {
    title: 'Sprachmodell',
    hint:
      'Das Modell `auto` aller Bots, berechneten Spalten und KI-Karten. Sein Anbieter erhält die ' +
      'Texte, die Bots an das Modell senden, und berechnet Ihnen die Kosten.',
    type: 'Anbieter',
    types: {
      openai: 'OpenAI',
      anthropic: 'Anthropic',
      google: 'Google',
      mistral: 'Mistral',
      'openai-compatible': 'Ein anderer, oder ein Modell auf Ihrem Rechner',
    },
    url: 'Adresse',
    urlHint:
      'Die einer OpenAI-kompatiblen API; meist endet sie mit /v1. Ollama: ' +
      'http://127.0.0.1:11434/v1',
    ownUrl: 'die des Anbieters',
    model: 'Modell',
    modelHint: 'Der Name, wie er in der Dokumentation des Anbieters steht.',
    key: 'Schlüssel',
    removeText:
      'Bots und Spalten, die ein Modell brauchen, scheitern dann, bis es ein anderes gibt.',
  },
  embeddings: {
    title: 'Semantische Suche',
    hint:
      'Das Modell, das die Bedeutung von Fragen und Dokumenten vergleicht. Ohne diese ' +
      'Einstellung läuft das mitgelieferte Modell auf diesem Rechner; es kann nur Englisch. ' +
      'Nach einer Änderung berechnet der Server alle Dokumente neu. Das dauert Minuten bis ' +
      'Stunden; so lange vergleicht er nur Wörter.',
    removeText:
      'Der Server arbeitet mit dem mitgelieferten Modell weiter und berechnet alle Dokumente neu.',
  },
  backups: {
    title: 'Zeitplan der Backups',
    hint:
      'Backups der ganzen Installation. Auf der Seite „Installation“ finden Sie sie und können ' +
      'eines wiederherstellen.',
    when: 'Wann',
    times: {
      '0 3 * * *': 'Jede Nacht um 3:00 UTC',
      '0 */6 * * *': 'Alle sechs Stunden',
      '0 3 * * 0': 'Sonntags um 3:00 UTC',
      other: 'Zu einer anderen Zeit',
    },
    schedule: 'Zeitplan',
    scheduleHint:
      'Fünf Cron-Felder in UTC: Minute, Stunde, Tag, Monat, Wochentag. `30 2 * * 1-5`',
    keep: 'Wie viele aufbewahren',
    verify: 'Jedes zur Probe wiederherstellen',
    verifyHint: 'In eine temporäre Datenbank; sie braucht freien Platz in ihrer Größe.',
    removeText:
      'Der Server erstellt dann keine Backups mehr von selbst. Vorhandene bleiben.',
  },
  mail: {
    title: 'E-Mail-Server',
    hint:
      'Sendet Einladungen an Mitglieder, und eine Meldung an Sie, wenn ein Backup fehlschlägt. ' +
      'Verwenden Sie ein Postfach Ihres Anbieters und, falls es sie dort gibt, ein App-Passwort.',
    host: 'SMTP-Server',
    port: 'Port des SMTP-Servers',
    security: 'SMTP-Verschlüsselung',
    securities: {
      tls: 'TLS von Anfang an (meist Port 465)',
      starttls: 'STARTTLS (meist Port 587)',
      none: 'Keine: nur in Ihrem eigenen Netz',
    },
    user: 'Benutzername',
    userHint: 'Meist die E-Mail-Adresse. Leer, wenn der Server keine Anmeldung verlangt.',
    password: 'Passwort',
    from: 'Absender',
    fromPlaceholder: 'Kundendienst <support@example.org>',
    recipient: 'Test-E-Mail senden an',
    removeText: 'Einladungen sind dann wieder Links, die Sie selbst weitergeben.',
    pending: (count: number) => amount(count, 'E-Mail wartet', 'E-Mails warten'),
    failed: (recipient: string, time: string) =>
      `E-Mail an ${recipient} vom ${time} nicht gesendet:`,
  },
}
