import { inLanguage } from '../in-language.ts'

export const archives = inLanguage('archives', {
  title: 'Archives',
  list: 'Archives of the workspace',
  hint:
    'An archive contains everything in this workspace: bots, conversations, files, tables, members. ' +
    'Import it in another installation to move or copy the workspace.',
  create: 'Create archive',
  createTitle: 'Create an archive',
  withSecrets: 'Include secrets, encrypted with a passphrase',
  withoutSecretsHint:
    'Without them, the archive has no secrets, configurations and versions of bots.',
  passphrase: 'Passphrase',
  passphraseHint:
    'At least 12 characters. The server does not store it; the import asks for it.',
  start: 'Start',
  empty: 'No archives',
  emptyHint: 'Create one to move this workspace, or to keep a copy of it.',
  started: 'Started',
  state: 'State',
  size: 'Size',
  actions: 'Actions',
  states: { running: 'Running', done: 'Done', failed: 'Failed' },
  progress: (percent: number) => `${percent} %`,
  progressOf: (file: string) => `Progress of ${file}`,
  by: (email: string) => `by ${email}`,
  withoutSecrets: 'without secrets',
  download: 'Download',
  downloadOne: (file: string) => `Download ${file}`,
  delete: 'Delete',
  deleteOne: (file: string) => `Delete ${file}`,
  deleteText: 'The file is deleted for all people. This cannot be undone.',
  stop: 'Stop',
  stopOne: (file: string) => `Stop ${file}`,
  stopText: 'The partial file is deleted.',
  import: 'Import …',
  importHow:
    'An owner of its first workspace opens Create bot > An archive there. Or run in its clone:',
  importOne: (file: string) => `Import ${file}`,
  importText: (workspace: string) =>
    'Download the file. In the other installation, open Create bot > An archive, as an owner of its ' +
    'first workspace. Or run this in its clone. ' +
    `It must not have the workspace "${workspace}" yet.`,
  importFirst:
    'Each installation creates its first workspace at its first start, with the same id everywhere. To ' +
    'import the archive of such a workspace, run the command before the first start.',
  importPassphrase: 'The file passphrase.txt contains the passphrase.',
})
export const backups = inLanguage('backups', {
  title: 'Backups',
  list: 'Backups of the installation',
  hint:
    'A backup contains the database and all files as they are at one moment, while servers run. ' +
    'It does not contain the keys: keep a copy of them elsewhere.',
  lastSuccess: 'Newest backup',
  lastVerified: 'Newest verified backup',
  next: 'Next scheduled backup',
  notScheduled: 'not scheduled: set BOTSTEAD_BACKUP_SCHEDULE',
  never: 'none',
  failed: (time: string, reason: string) => `The backup of ${time} failed: ${reason}`,
  overdue: 'Backups are overdue. The log of the server has the reason.',
  folder: 'Backups are in',
  keysFolder: 'Keys are in',
  create: 'Back up now',
  empty: 'No backups yet.',
  restore: 'Restore …',
  restoreOne: (file: string) => `Restore ${file}`,
  restoreText:
    'Run these commands in the clone, on a machine with the file. They restore into a new data folder; ' +
    'this installation stays as it is.',
  keys: 'Copy the keys:',
  command: 'Restore:',
  restoreSettings:
    'This installation has its keys in settings: set the same BOTSTEAD_MASTER_KEY and BOTSTEAD_CHAT_KEY.',
  restoreDatabase:
    'To restore into your own PostgreSQL, set DATABASE_URL to an empty database.',
})
