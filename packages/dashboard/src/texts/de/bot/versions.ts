import type { SavedVersion } from '@botstead/contract'
import type { versions as English } from '../../en/bot/versions.ts'
import { thousands } from '../amount.ts'

/** The name alone could be that of the bot. */
const toVersion = ({ name, number }: SavedVersion) =>
  number === undefined ? `Version „${name}“` : `Version #${number} (${name})`

export const versions: typeof English = {
  title: 'Versionen',
  intro:
    'Eine Version ist eine gespeicherte Kopie des Bots: Code, Definitionen und installierte ' +
    'Integrationen. Jede Bereitstellung speichert eine.',
  saveHint:
    'Speichern Sie den aktuellen Stand, nachdem Sie Einstellungen oder Integrationen geändert ' +
    'haben, damit Sie zu ihm zurückkehren können.',
  save: 'Stand speichern',
  saveTitle: 'Bot als Version speichern',
  saveText: 'Eine Version enthält Code, Definitionen und installierte Integrationen.',
  saved: (name: string) => `„${name}“ ist gespeichert`,
  versionName: 'Name der Version',
  description: 'Beschreibung',
  empty: 'Noch keine Versionen',
  emptyHint: 'Stellen Sie Code bereit: Jede Bereitstellung wird zu einer Version.',
  running: 'Läuft',
  modified: 'Läuft, seitdem geändert',
  broken: 'Lässt sich nicht laden',
  loadAgain: 'Erneut versuchen',
  by: (author: string) => `von ${author}`,
  deployedAgain: 'erneut bereitgestellt',
  more: (name: string) => `Weitere Aktionen für „${name}“`,
  deploy: 'Bereitstellen',
  deployFiles: 'Dateien bereitstellen',
  deployTitle: 'Dateien bereitstellen',
  deployText:
    'Ein Bundle ersetzt den Code des Bots. Eine bot.json ersetzt Code und Definitionen; nennt ' +
    'sie Integrationen, werden die anderen entfernt. Das Ergebnis wird zu einer Version.',
  deployed: (name: string) => `„${name}“ ist bereitgestellt`,
  deployedBroken: (name: string) =>
    `„${name}“ ist bereitgestellt, lässt sich aber nicht laden`,
  rolledBack: (version: SavedVersion) => `Der Bot läuft wieder mit ${toVersion(version)}`,
  rollback: 'Zu dieser Version zurückkehren',
  rollbackTo: ({ name, number }: SavedVersion) =>
    `Zurück zu ${number === undefined ? name.slice(0, 30) : `#${number}`}`,
  rollbackTitle: (version: SavedVersion) => `Zu ${toVersion(version)} zurückkehren?`,
  rollbackNow: 'Zurückkehren',
  rollbackText:
    'Der Bot erhält sofort den Code, die Definitionen und die Integrationen dieser Version. ' +
    'Name, Tags, Geheimnisse, Unterhaltungen und Daten bleiben.',
  rollbackChanges: 'Das ändert sich:',
  rollbackSame:
    'Die exportierten Dokumente sind gleich; Konfigurationen von Integrationen können sich ' +
    'unterscheiden.',
  rollbackKept:
    'Der aktuelle Stand ist schon gespeichert: Sie können zu ihm zurückkehren.',
  rollbackSaves:
    'Der aktuelle Stand wird zuerst als Version gespeichert, damit Sie zu ihm zurückkehren können.',
  removed: {
    integrations: (alias: string) =>
      `Entfernt die Integration ${alias} und ihre Einstellungen. Ihre Webhook-Adresse gilt erst ` +
      'wieder, wenn Sie zurückkehren',
    plugins: (alias: string) => `Entfernt das Plugin ${alias} und seine Einstellungen`,
  } as Record<string, (alias: string) => string>,
  savedBeforeRollback: 'Vor der Rückkehr gespeichert',
  savedBeforeDeployment: 'Vor der Bereitstellung gespeichert',
  rename: 'Umbenennen',
  renameTitle: (version: SavedVersion) => `${toVersion(version)} umbenennen`,
  renamed: (name: string) => `Die Version heißt jetzt „${name}“`,
  deleteTitle: (version: SavedVersion) => `${toVersion(version)} löschen?`,
  deleteText:
    'Sie können dann nicht mehr zu dieser Version zurückkehren. Der Bot läuft weiter.',
  deleted: (version: SavedVersion) => `${toVersion(version)} gelöscht`,
  compare: 'Vergleichen',
  openTitle: toVersion,
  view: 'Anzeigen',
  views: {
    contents: 'Inhalt',
    former: 'Änderungen seit der Version davor',
    current: 'Verglichen mit dem laufenden Stand',
  },
  same: 'Sie sind gleich.',
  since: (name: string) => `Änderungen seit „${name}“:`,
  part: 'Teil',
  parts: {
    definition: 'Definition',
    code: 'Code',
  },
  changes: {
    added: (path: string) => `+ ${path}`,
    removed: (path: string) => `− ${path}`,
    changed: (path: string) => path,
  },
  moreChanges: (count: number) => `und ${thousands(count)} weitere`,
  left: 'Vorher',
  right: 'Aktueller Stand',
  unified: (left: string, right: string) =>
    `Rote Zeilen sind aus „${left}“, grüne aus „${right}“.`,
  download: 'Herunterladen',
}
