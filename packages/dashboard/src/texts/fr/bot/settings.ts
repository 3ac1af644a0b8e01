import type { settings as English } from '../../en/bot/settings.ts'

export const settings: typeof English = {
  title: 'Paramètres généraux',
  general: 'Général',
  name: 'Nom',
  description: 'Description',
  maxExecutionTime: 'Durée maximale d’un gestionnaire, en secondes',
  configuration: 'Configuration',
  noConfiguration: 'Ce bot ne définit aucune configuration.',
  bursts: {
    title: 'Messages à la suite',
    hint:
      'Plusieurs messages courts d’une personne peuvent former un seul tour du bot, pour qu’il ' +
      'réponde une seule fois.',
    seconds: 'Secondes d’un message au suivant',
    secondsHint: 'De 0 à 10. Avec 0, chaque message est un tour.',
    modes: {
      wait: 'Le bot attend pendant ce temps, puis reçoit tout ensemble',
      restart: 'Le bot répond aussitôt et recommence si la personne continue',
    },
  },
  secrets: 'Secrets',
  secretsHint:
    'Le code les lit comme variables d’environnement. Les valeurs sont chiffrées et jamais ' +
    'affichées.',
  noSecrets: 'Aucun secret',
  secretName: 'Nom',
  secretExample: 'API_TOKEN',
  secretValue: 'Valeur',
  setSecret: 'Définir le secret',
  removeSecret: (name) => `Supprimer le secret ${name}`,
  secretSet: (name) => `Le secret ${name} est défini`,
  secretRemoved: (name) => `Le secret ${name} est supprimé`,
  keys: 'Clés d’API',
  keysHint: 'Une clé peut tout faire dans ce bot.',
  noKeys: 'Aucune clé d’API',
  note: 'Note',
  createKey: 'Créer une clé',
  keyCreated: 'Copiez la clé maintenant. Elle ne sera plus affichée.',
  revoke: 'Révoquer',
  revokeKey: (note) => `Révoquer la clé ${note} ?`,
  revokeText: 'Les programmes qui l’utilisent reçoivent désormais 401.',
  signing: 'Secret de signature',
  signingHint: 'Le serveur s’en sert pour signer ses appels à un bot hébergé à une URL.',
  rotate: 'Renouveler',
  rotated:
    'Copiez le nouveau secret maintenant. Les précédents restent valables pendant 24 heures.',
  export: 'Exporter',
  exportHint:
    'Un document avec les définitions, le code et la configuration du bot, sans secrets, clés ni ' +
    'configurations d’intégrations. « Créer un bot » > « Fichiers de bot » en fait un nouveau ' +
    'bot.',
  exportBot: 'Exporter le bot',
  danger: 'Transférer et supprimer',
}
