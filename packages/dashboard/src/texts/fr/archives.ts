import type {
  archives as EnglishArchives,
  backups as EnglishBackups,
} from '../en/archives.ts'

export const archives: typeof EnglishArchives = {
  title: 'Archives',
  list: 'Archives de l’espace de travail',
  hint:
    'Une archive contient tout l’espace de travail : bots, conversations, fichiers, tables et ' +
    'membres. Importez-la dans une autre installation pour déplacer ou copier l’espace de ' +
    'travail.',
  create: 'Créer une archive',
  createTitle: 'Créer une archive',
  withSecrets: 'Inclure les secrets, chiffrés par une phrase secrète',
  withoutSecretsHint:
    'Sans eux, l’archive ne contient ni les secrets, ni les configurations, ni les versions des ' +
    'bots.',
  passphrase: 'Phrase secrète',
  passphraseHint:
    'Au moins 12 caractères. Le serveur ne la conserve pas ; elle sera demandée à l’importation.',
  start: 'Démarrer',
  empty: 'Aucune archive',
  emptyHint: 'Créez-en une pour déplacer cet espace de travail ou en garder une copie.',
  started: 'Début',
  state: 'État',
  size: 'Taille',
  actions: 'Actions',
  states: { running: 'En cours', done: 'Terminée', failed: 'Échec' },
  progress: (percent) => `${percent} %`,
  progressOf: (file) => `Progression : ${file}`,
  by: (email) => `par ${email}`,
  withoutSecrets: 'sans secrets',
  download: 'Télécharger',
  downloadOne: (file) => `Télécharger ${file}`,
  delete: 'Supprimer',
  deleteOne: (file) => `Supprimer ${file}`,
  deleteText:
    'Le fichier est supprimé pour tout le monde. Cette action est irréversible.',
  stop: 'Arrêter',
  stopOne: (file) => `Arrêter ${file}`,
  stopText: 'Le fichier partiel est supprimé.',
  import: 'Importer…',
  importHow:
    'Dans l’autre installation, un propriétaire du premier espace de travail ouvre « Créer un ' +
    'bot » > « Une archive ». Ou bien exécutez dans son clone :',
  importOne: (file) => `Importer ${file}`,
  importText: (workspace) =>
    'Téléchargez le fichier. Dans l’autre installation, en tant que propriétaire de son premier ' +
    'espace de travail, ouvrez « Créer un bot » > « Une archive ». Ou bien exécutez cette ' +
    `commande dans son clone. L’espace de travail « ${workspace} » ne doit pas encore y exister.`,
  importFirst:
    'Au premier démarrage, chaque installation crée son premier espace de travail, partout avec ' +
    'le même identifiant. Pour importer l’archive d’un tel espace, exécutez la commande avant le ' +
    'premier démarrage.',
  importPassphrase: 'Le fichier passphrase.txt contient la phrase secrète.',
}
export const backups: typeof EnglishBackups = {
  title: 'Sauvegardes',
  list: 'Sauvegardes de l’installation',
  hint:
    'Une sauvegarde contient la base de données et tous les fichiers à un instant donné, sans ' +
    'arrêter les serveurs. Elle ne contient pas les clés : gardez-en une copie ailleurs.',
  lastSuccess: 'Dernière sauvegarde',
  lastVerified: 'Dernière sauvegarde vérifiée',
  next: 'Prochaine sauvegarde prévue',
  notScheduled: 'non planifiée : définissez BOTSTEAD_BACKUP_SCHEDULE',
  never: 'aucune',
  failed: (time, reason) => `La sauvegarde du ${time} a échoué : ${reason}`,
  overdue: 'Les sauvegardes sont en retard. Le journal du serveur indique la raison.',
  folder: 'Dossier des sauvegardes',
  keysFolder: 'Dossier des clés',
  create: 'Sauvegarder',
  empty: 'Aucune sauvegarde pour le moment.',
  restore: 'Restaurer…',
  restoreOne: (file) => `Restaurer ${file}`,
  restoreText:
    'Exécutez ces commandes dans le clone, sur une machine où se trouve le fichier. Elles ' +
    'restaurent dans un nouveau dossier de données ; cette installation reste inchangée.',
  keys: 'Copier les clés :',
  command: 'Restaurer :',
  restoreSettings:
    'Les clés de cette installation sont dans ses paramètres : définissez les mêmes ' +
    'BOTSTEAD_MASTER_KEY et BOTSTEAD_CHAT_KEY.',
  restoreDatabase:
    'Pour restaurer dans votre propre PostgreSQL, indiquez une base de données vide dans ' +
    'DATABASE_URL.',
}
