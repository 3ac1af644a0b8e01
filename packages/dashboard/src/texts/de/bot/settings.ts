import type { settings as English } from '../../en/bot/settings.ts'

export const settings: typeof English = {
  title: 'Allgemeine Einstellungen',
  general: 'Allgemein',
  name: 'Name',
  description: 'Beschreibung',
  maxExecutionTime: 'Zeitlimit eines Handlers, in Sekunden',
  configuration: 'Konfiguration',
  noConfiguration: 'Dieser Bot definiert keine Konfiguration.',
  bursts: {
    title: 'Nachrichten hintereinander',
    hint:
      'Mehrere kurze Nachrichten einer Person kann der Bot zusammen behandeln, sodass er nur ' +
      'einmal antwortet.',
    seconds: 'Sekunden von einer Nachricht zur nächsten',
    secondsHint: 'Von 0 bis 10. Bei 0 behandelt er jede Nachricht einzeln.',
    modes: {
      wait: 'Der Bot wartet so lange und erhält dann alle zusammen',
      restart: 'Der Bot antwortet sofort und beginnt neu, wenn die Person weiterschreibt',
    },
  },
  secrets: 'Geheimnisse',
  secretsHint:
    'Der Code liest sie als Umgebungsvariablen. Die Werte sind verschlüsselt und werden nie ' +
    'angezeigt.',
  noSecrets: 'Keine Geheimnisse',
  secretName: 'Name',
  secretExample: 'API_TOKEN',
  secretValue: 'Wert',
  setSecret: 'Geheimnis setzen',
  removeSecret: (name: string) => `Geheimnis ${name} entfernen`,
  secretSet: (name: string) => `${name} ist gesetzt`,
  secretRemoved: (name: string) => `${name} ist entfernt`,
  keys: 'API-Schlüssel',
  keysHint: 'Ein Schlüssel darf innerhalb dieses Bots alles.',
  noKeys: 'Keine API-Schlüssel',
  note: 'Notiz',
  createKey: 'Schlüssel erstellen',
  keyCreated: 'Kopieren Sie den Schlüssel jetzt. Er wird nicht wieder angezeigt.',
  revoke: 'Widerrufen',
  revokeKey: (note: string) => `Schlüssel „${note}“ widerrufen?`,
  revokeText: 'Programme, die ihn verwenden, erhalten ab dann 401.',
  signing: 'Signaturschlüssel',
  signingHint: 'Damit signiert der Server seine Aufrufe eines Bots unter einer URL.',
  rotate: 'Erneuern',
  rotated: 'Kopieren Sie den neuen Schlüssel jetzt. Frühere gelten noch 24 Stunden.',
  export: 'Exportieren',
  exportHint:
    'Ein Dokument mit Definitionen, Code und Konfiguration des Bots, ohne Geheimnisse, Schlüssel ' +
    'und Konfigurationen der Integrationen. „Bot erstellen“ > „Bot-Dateien“ macht daraus einen ' +
    'neuen Bot.',
  exportBot: 'Bot exportieren',
  danger: 'Übertragen und löschen',
}
