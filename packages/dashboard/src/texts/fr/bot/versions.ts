import type { versions as English } from '../../en/bot/versions.ts'
import { amount } from '../amount.ts'

/** The name alone could be that of the bot. */
const toVersion = ({ name, number }: { name: string; number?: number | undefined }) =>
  number === undefined ? `version « ${name} »` : `version #${number} (${name})`

export const versions: typeof English = {
  title: 'Versions',
  intro:
    'Une version est une copie enregistrée du bot : code, définitions et intégrations ' +
    'installées. Chaque déploiement en enregistre une.',
  saveHint:
    'Enregistrez l’état actuel après une modification des paramètres ou des intégrations, pour ' +
    'pouvoir y revenir.',
  save: 'Enregistrer l’état actuel',
  saveTitle: 'Enregistrer le bot comme version',
  saveText:
    'Une version contient le code, les définitions et les intégrations installées.',
  saved: (name) => `La version ${name} est enregistrée`,
  versionName: 'Nom de la version',
  description: 'Description',
  empty: 'Aucune version pour le moment',
  emptyHint: 'Déployez du code : chaque déploiement devient une version.',
  running: 'Active',
  modified: 'Active, modifiée depuis',
  broken: 'Ne se charge pas',
  loadAgain: 'Réessayer',
  by: (author) => `par ${author}`,
  deployedAgain: 'redéployée',
  more: (name) => `Autres actions pour ${name}`,
  deploy: 'Déployer',
  deployFiles: 'Déployer des fichiers',
  deployTitle: 'Déployer des fichiers',
  deployText:
    'Un bundle remplace le code du bot. Un bot.json remplace son code et ses définitions ; s’il ' +
    'énumère des intégrations, les autres sont retirées. Le résultat devient une version.',
  deployed: (name) => `Déploiement effectué : ${name}`,
  deployedBroken: (name) =>
    `Déploiement effectué, mais le code ne se charge pas : ${name}`,
  rolledBack: (version) => `Le bot est revenu à la ${toVersion(version)}`,
  rollback: 'Revenir à cette version',
  rollbackTo: ({ name, number }) =>
    `Revenir à ${number === undefined ? name.slice(0, 30) : `#${number}`}`,
  rollbackTitle: (version) => `Revenir à la ${toVersion(version)} ?`,
  rollbackNow: 'Revenir',
  rollbackText:
    'Le bot reçoit aussitôt le code, les définitions et les intégrations de cette version. Son ' +
    'nom, ses tags, ses secrets, ses conversations et ses données restent.',
  rollbackChanges: 'Modifications :',
  rollbackSame:
    'Les documents exportés sont identiques ; les configurations d’intégrations peuvent différer.',
  rollbackKept: 'L’état actuel est déjà enregistré : vous pourrez y revenir.',
  rollbackSaves:
    'L’état actuel est d’abord enregistré comme version, pour que vous puissiez y revenir.',
  removed: {
    integrations: (alias) =>
      `Retire l’intégration ${alias} et ses paramètres. L’adresse de son webhook ne fonctionne ` +
      'plus tant que vous ne revenez pas à l’état actuel',
    plugins: (alias) => `Retire le plugin ${alias} et ses paramètres`,
  },
  savedBeforeRollback: 'Enregistré avant un retour',
  savedBeforeDeployment: 'Enregistré avant un déploiement',
  rename: 'Renommer',
  renameTitle: (version) => `Renommer la ${toVersion(version)}`,
  renamed: (name) => `Nouveau nom de la version : ${name}`,
  deleteTitle: (version) => `Supprimer la ${toVersion(version)} ?`,
  deleteText:
    'Vous ne pourrez plus revenir à cette version. Le bot continue de fonctionner.',
  deleted: (version) => `Supprimée : ${toVersion(version)}`,
  compare: 'Comparer',
  openTitle: (version) => toVersion(version).replace(/^v/, 'V'),
  view: 'Affichage',
  views: {
    contents: 'Contenu',
    former: 'Changements depuis la précédente',
    current: 'Comparée à la version active',
  },
  same: 'Elles sont identiques.',
  since: (name) => `Modifications depuis ${name} :`,
  part: 'Partie',
  parts: {
    definition: 'Définition',
    code: 'Code',
  },
  changes: {
    added: (path) => `+ ${path}`,
    removed: (path) => `− ${path}`,
    changed: (path) => path,
  },
  moreChanges: (count) => `et ${amount(count, 'autre')}`,
  left: 'Avant',
  right: 'État actuel',
  unified: (left, right) =>
    `Les lignes rouges viennent de « ${left} », les lignes vertes de « ${right} ».`,
  download: 'Télécharger',
}
