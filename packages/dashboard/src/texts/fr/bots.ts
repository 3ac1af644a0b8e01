import type { bots as English } from '../en/bots.ts'
import { amount, plural, thousands } from './amount.ts'

export const bots: typeof English = {
  title: 'Bots',
  create: 'Créer un bot',
  empty: 'Aucun bot pour le moment',
  emptyHint: 'Partez d’un exemple ou créez un bot à partir de vos fichiers.',
  emptyViewer: 'Les bots de cet espace de travail s’affichent ici.',
  search: 'Rechercher par nom',
  nothingFound: 'Aucun bot ne porte ce nom',
  nothingFoundHint: 'Essayez une autre partie du nom.',
  dev: 'Développement',
  blocked: 'Bloqué',
  activity: (messages, pending) =>
    `${amount(messages, 'message')} aujourd’hui, ${thousands(pending)} en attente`,
  name: 'Nom',
  health: 'Santé',
  pending: 'En attente',
  pendingHint: 'Livraisons qui attendent le bot',
  today: 'Messages du jour',
  deployed: 'Déployé',
  neverDeployed: 'non déployé',
  healths: {
    ok: 'Opérationnel',
    degraded: 'A des échecs',
    failing: 'En panne',
    undeployed: 'Non déployé',
  },
  mended: 'aucun échec depuis le déploiement',
  broken: 'le code ne se charge pas',
  deadLetters: (count) => amount(count, 'échec'),
  issues: (count) => amount(count, 'incident ouvert', 'incidents ouverts'),
  newBot: {
    title: 'Créer un bot',
    name: 'Nom',
    namePlaceholder: 'Assistance',
    from: 'Point de départ',
    sources: {
      example: 'Un exemple',
      files: 'Fichiers de bot',
      builder: 'Un autre outil',
      archive: 'Une archive',
      scratch: 'De zéro',
      empty: 'Bot vide',
    },
    scratchHint:
      'Un bot qui dit bonjour. Vous ajoutez ses questions et ses réponses sur la page « Flux », ' +
      'sans programmer.',
    greeting: 'Bonjour ! Que puis-je faire pour vous ?',
    emptyHint:
      'Pour les développeurs : un bot qui ne fait rien tant que vous n’y déployez pas de code, ' +
      'ici ou en ligne de commande.',
    isArchive: (file: string) => `${file} est l’archive d’un espace de travail`,
    isArchiveHint: 'Les exploitants l’importent sous « Une archive », sur cette page.',
    atUrl:
      'Pour les développeurs : un bot hébergé sur votre propre serveur s’ajoute en appelant ' +
      '`createBot` de l’API avec son `url`.',
    atUrlLink: 'Bots accessibles par URL',
    missing: 'Il reste des éléments à configurer',
    setSecrets: (names) =>
      `Définissez ces secrets dans les paramètres : ${names.join(', ')}.`,
    configure: (aliases) =>
      `Configurez et activez ces intégrations : ${aliases.join(', ')}.`,
    created: (name) => `Le bot ${name} a été créé`,
    createdBroken: (name) => `Le bot ${name} a été créé, mais son code ne se charge pas`,
  },
  builders: {
    drop: 'Déposez un export ici',
    hint: 'Un bot de Typebot, Dify, Flowise, Voiceflow, Botpress 12 ou de l’Agent Builder d’OpenAI.',
    docs: 'Comment l’exporter',
    choose: 'Choisissez d’abord un fichier',
    empty: (file: string) => `${file} est vide. Exportez de nouveau le bot`,
    tooLarge: (file) => `${file} dépasse 10 Mo`,
    report: 'Rapport',
    parts: 'Éléments du bot',
    result: 'Résultat',
    part: 'Élément',
    note: 'Différence ou étape suivante',
    results: { carried: 'Repris', changed: 'Avec différence', omitted: 'Non repris' },
    found: (source, { carried = 0, changed = 0, omitted = 0 }) =>
      `${source} : ${amount(carried, 'élément repris', 'éléments repris')}, ` +
      `${thousands(changed)} avec une différence, ${thousands(omitted)} non repris.`,
    more: (count) => `Et ${amount(count, 'autre élément', 'autres éléments')}.`,
    secrets: 'Secrets à définir',
    knowledge: 'Documents à importer',
    remarks: 'À savoir',
    save: (path) => `Enregistrer ${path}`,
    name: 'Nom',
    create: 'Créer le brouillon',
    created: (name) => `Brouillon créé : ${name}`,
  },
  archive: {
    drop: 'Déposez une archive ici',
    hint:
      'Un fichier de la page « Archives » ou de la commande export. Il contient un espace de ' +
      'travail avec tous ses bots.',
    passphrase: 'Phrase secrète',
    passphraseHint: 'Celle de l’archive. Laissez vide pour une archive sans secrets.',
    import: 'Importer',
    progress: 'Envoi au serveur',
    tooLarge: 'L’archive est trop volumineuse pour un proxy',
    interrupted: 'La connexion a été coupée avant la fin de l’envoi',
    tooLargeHint:
      'Un proxy placé devant le serveur limite peut-être la taille des requêtes. Augmentez cette ' +
      'limite, ou importez l’archive sur la machine du serveur : `npm run botstead -- import ' +
      '<archive>`',
    checking: 'Le serveur vérifie l’archive et enregistre son contenu…',
    done: (workspace, rows) =>
      `L’espace de travail ${workspace} a été importé : ${amount(rows, 'ligne')}`,
    signer: (signer) => `Signée par ${signer}`,
    noSecrets:
      'L’archive ne contient pas de secrets : définissez ceux des bots et des intégrations, ' +
      'ainsi que la configuration des intégrations installées.',
    open: 'Ouvrir l’espace de travail',
    notMember:
      'Vous n’en êtes pas membre. Ses membres le verront lorsqu’ils se connecteront.',
  },
  examples: {
    create: 'Créer',
    createNamed: (title) => `Créer ${title}`,
    needsModel: 'Nécessite un modèle',
    noModel:
      'Aucun modèle n’est configuré. Un propriétaire en ajoute un dans les paramètres du serveur.',
  },
  files: {
    drop: 'Déposez un bot ici',
    hint:
      'Un bot.json ou bot.yaml, un dossier qui en contient un avec son code, ou un bundle : un ' +
      'fichier .cjs ou .js qui exporte une fonction nommée handler.',
    sdkHint:
      'Pour un projet basé sur @botpress/sdk, exécutez `bp build` (l’outil officiel en ligne de ' +
      'commande), puis choisissez `.botpress/dist/index.cjs`.',
    examples: 'Télécharger un exemple :',
    exampleFiles: {
      document: (size) => `un bot.json${size && ` (${size})`}`,
      bundle: (size) => `un bundle${size && ` (${size})`}`,
    },
    bundle: (size) => `Bundle, ${size}`,
    document: 'Document de bot',
    codeFiles: (count) => `avec ${count} ${plural(count, 'fichier')} de code`,
    none: 'Ces fichiers ne contiennent pas de bot',
    noneHint: 'Choisissez un bot.json, un bot.yaml ou un bundle.',
    several: 'Il y a plusieurs bots. Choisissez-en un.',
    notDocument: (file) => `${file} n’est pas un document de bot`,
    invalid: (file) => `Impossible de lire ${file}`,
    tooLarge: (file) => `${file} dépasse 50 Mo`,
    problems: (file, count) => `${file} : ${count} ${plural(count, 'problème')}`,
    correct:
      'Déploiement impossible. Corrigez le fichier, puis choisissez-le de nouveau.',
    correctPartly:
      'Déploiement impossible. Corrigez le fichier, puis choisissez-le de nouveau : d’autres ' +
      'problèmes peuvent apparaître.',
    warnings: (file, count) => `${file} : ${count} ${plural(count, 'avertissement')}`,
    warningsHint: 'Il s’agit sans doute d’une erreur, mais le déploiement est possible.',
  },
  delete: {
    title: (name) => `Supprimer ${name}`,
    text:
      'Ses conversations, utilisateurs, fichiers et tables sont également supprimés. Cette ' +
      'action est irréversible.',
    button: 'Supprimer le bot',
    done: (name) => `Le bot ${name} a été supprimé`,
  },
  transfer: {
    title: 'Transférer vers un autre espace de travail',
    target: 'Espace de travail',
    text:
      'Les conversations, les fichiers et les tables suivent le bot. Les membres de cet espace ' +
      'de travail perdent l’accès.',
    button: 'Transférer',
    done: 'Le bot a été transféré',
    noTarget: 'Vous ne pouvez créer de bots dans aucun autre espace de travail.',
  },
}
