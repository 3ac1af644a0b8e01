import type { SavedVersion } from '@botstead/contract'
import { inLanguage } from '../../in-language.ts'
import { thousands } from '../amount.ts'

/** The name alone could be that of the bot. */
const toVersion = ({ name, number }: SavedVersion) =>
  number === undefined ? `version “${name}”` : `version #${number} (${name})`

export const versions = inLanguage('versions', {
  title: 'Versions',
  intro:
    'A version is a saved copy of the bot: code, definitions and installed integrations. Each ' +
    'deployment saves one.',
  saveHint:
    'Save the current state after changes of settings or integrations, so that you can roll back to it.',
  save: 'Save current state',
  saveTitle: 'Save the bot as a version',
  saveText: 'A version contains code, definitions and installed integrations.',
  saved: (name: string) => `${name} is saved`,
  versionName: 'Name of the version',
  description: 'Description',
  empty: 'No versions yet',
  emptyHint: 'Deploy code: each deployment becomes a version.',
  running: 'Running',
  modified: 'Running, changed since',
  broken: 'Does not load',
  loadAgain: 'Try again',
  by: (author: string) => `by ${author}`,
  deployedAgain: 'deployed again',
  more: (name: string) => `More actions for ${name}`,
  deploy: 'Deploy',
  deployFiles: 'Deploy files',
  deployTitle: 'Deploy files',
  deployText:
    'A bundle replaces the code of the bot. A bot.json replaces its code and definitions; if it lists ' +
    'integrations, the others are removed. The result becomes a version.',
  deployed: (name: string) => `${name} is deployed`,
  deployedBroken: (name: string) => `${name} is deployed, but does not load`,
  rolledBack: (version: SavedVersion) =>
    `The bot is rolled back to ${toVersion(version)}`,
  rollback: 'Roll back to this version',
  rollbackTo: ({ name, number }: SavedVersion) =>
    `Roll back to ${number === undefined ? name.slice(0, 30) : `#${number}`}`,
  rollbackTitle: (version: SavedVersion) => `Roll back to ${toVersion(version)}?`,
  rollbackNow: 'Roll back',
  rollbackText:
    'The bot gets the code, definitions and integrations of this version at once. Its name, tags, ' +
    'secrets, conversations and data stay.',
  rollbackChanges: 'This changes:',
  rollbackSame:
    'The exported documents are equal; configurations of integrations may differ.',
  rollbackKept: 'The current state is saved already: you can roll back to it.',
  rollbackSaves:
    'The current state is saved as a version first, so that you can roll back to it.',
  removed: {
    integrations: (alias: string) =>
      `Removes the integration ${alias} and its settings. Its webhook address stops until you roll back`,
    plugins: (alias: string) => `Removes the plugin ${alias} and its settings`,
  } as Record<string, (alias: string) => string>,
  savedBeforeRollback: 'Saved before rollback',
  savedBeforeDeployment: 'Saved before deployment',
  rename: 'Rename',
  renameTitle: (version: SavedVersion) => `Rename ${toVersion(version)}`,
  renamed: (name: string) => `The version is now ${name}`,
  deleteTitle: (version: SavedVersion) => `Delete ${toVersion(version)}?`,
  deleteText: 'You cannot roll back to this version any more. The bot keeps running.',
  deleted: (version: SavedVersion) => `Deleted ${toVersion(version)}`,
  compare: 'Compare',
  openTitle: (version: SavedVersion) => toVersion(version).replace(/^v/, 'V'),
  view: 'What to show',
  views: {
    contents: 'Contents',
    former: 'Changes since the version before',
    current: 'Compared with what runs',
  },
  same: 'They are equal.',
  since: (name: string) => `Changes since ${name}:`,
  part: 'Part',
  parts: {
    definition: 'Definition',
    code: 'Code',
  },
  changes: {
    added: (path: string) => `+ ${path}`,
    removed: (path: string) => `− ${path}`,
    changed: (path: string) => path,
  },
  moreChanges: (count: number) => `and ${thousands(count)} more`,
  left: 'Before',
  right: 'Current state',
  unified: (left: string, right: string) =>
    `Red lines are of “${left}”, green lines of “${right}”.`,
  download: 'Download',
})
