import type {
  archives as EnglishArchives,
  backups as EnglishBackups,
} from '../en/archives.ts'

export const archives: typeof EnglishArchives = {
  title: 'Archive',
  list: 'Archive des Workspace',
  hint:
    'Ein Archiv enthält alles in diesem Workspace: Bots, Unterhaltungen, Dateien, Tabellen, ' +
    'Mitglieder. Importieren Sie es in einer anderen Installation, um den Workspace umzuziehen ' +
    'oder zu kopieren.',
  create: 'Archiv erstellen',
  createTitle: 'Archiv erstellen',
  withSecrets: 'Auch Geheimnisse, mit einer Passphrase verschlüsselt',
  withoutSecretsHint:
    'Ohne sie fehlen im Archiv Geheimnisse, Konfigurationen und Versionen der Bots.',
  passphrase: 'Passphrase',
  passphraseHint:
    'Mindestens 12 Zeichen. Der Server speichert sie nicht; der Import fragt danach.',
  start: 'Starten',
  empty: 'Keine Archive',
  emptyHint:
    'Erstellen Sie eines, um diesen Workspace umzuziehen oder eine Kopie aufzubewahren.',
  started: 'Begonnen',
  state: 'Status',
  size: 'Größe',
  actions: 'Aktionen',
  states: { running: 'Läuft', done: 'Fertig', failed: 'Fehlgeschlagen' },
  progress: (percent: number) => `${percent}\u00a0%`,
  progressOf: (file: string) => `Fortschritt: ${file}`,
  by: (email: string) => `von ${email}`,
  withoutSecrets: 'ohne Geheimnisse',
  download: 'Herunterladen',
  downloadOne: (file: string) => `${file} herunterladen`,
  delete: 'Löschen',
  deleteOne: (file: string) => `${file} löschen`,
  deleteText: 'Die Datei wird für alle gelöscht. Das lässt sich nicht rückgängig machen.',
  stop: 'Stoppen',
  stopOne: (file: string) => `${file} stoppen`,
  stopText: 'Die unvollständige Datei wird gelöscht.',
  import: 'Importieren …',
  importHow:
    'Dort öffnet ein Inhaber des ersten Workspace „Bot erstellen“ > „Archiv“. Oder führen Sie in ' +
    'ihrem Klon aus:',
  importOne: (file: string) => `${file} importieren`,
  importText: (workspace: string) =>
    'Laden Sie die Datei herunter. Öffnen Sie in der anderen Installation „Bot erstellen“ > ' +
    '„Archiv“, als Inhaber ihres ersten Workspace. Oder führen Sie diesen Befehl in ihrem Klon ' +
    `aus. Den Workspace „${workspace}“ darf es dort noch nicht geben.`,
  importFirst:
    'Jede Installation legt bei ihrem ersten Start ihren ersten Workspace an, überall mit ' +
    'derselben ID. Um das Archiv eines solchen Workspace zu importieren, führen Sie den Befehl ' +
    'vor dem ersten Start aus.',
  importPassphrase: 'Die Datei passphrase.txt enthält die Passphrase.',
}
export const backups: typeof EnglishBackups = {
  title: 'Backups',
  list: 'Backups der Installation',
  hint:
    'Ein Backup enthält die Datenbank und alle Dateien, wie sie zu einem Zeitpunkt sind. Die ' +
    'Server laufen dabei weiter. Die Schlüssel enthält es nicht: Bewahren Sie eine Kopie davon ' +
    'an einem anderen Ort auf.',
  lastSuccess: 'Neuestes Backup',
  lastVerified: 'Neuestes geprüftes Backup',
  next: 'Nächstes geplantes Backup',
  notScheduled: 'nicht geplant: BOTSTEAD_BACKUP_SCHEDULE setzen',
  never: 'keines',
  failed: (time: string, reason: string) =>
    `Backup vom ${time} fehlgeschlagen: ${reason}`,
  overdue: 'Backups sind überfällig. Der Grund steht im Log des Servers.',
  folder: 'Ordner der Backups:',
  keysFolder: 'Ordner der Schlüssel:',
  create: 'Backup erstellen',
  empty: 'Noch keine Backups.',
  restore: 'Wiederherstellen …',
  restoreOne: (file: string) => `${file} wiederherstellen`,
  restoreText:
    'Führen Sie diese Befehle im Klon aus, auf einem Rechner, der die Datei hat. Sie stellen die ' +
    'Daten in einem neuen Datenordner wieder her; diese Installation bleibt, wie sie ist.',
  keys: 'Schlüssel kopieren:',
  command: 'Wiederherstellen:',
  restoreSettings:
    'Die Schlüssel dieser Installation stehen in Einstellungen: Setzen Sie dieselben Werte für ' +
    'BOTSTEAD_MASTER_KEY und BOTSTEAD_CHAT_KEY.',
  restoreDatabase:
    'Um in Ihr eigenes PostgreSQL wiederherzustellen, setzen Sie DATABASE_URL auf eine leere ' +
    'Datenbank.',
}
