import type { installation as English } from '../en/installation.ts'
import { amount, thousands } from './amount.ts'

const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 }

export const installation: typeof English = {
  title: 'Installation',
  servers: 'Serveurs',
  server: 'Serveur',
  process: (pid, id) => `processus ${pid}, ${id}`,
  started: 'Démarrage',
  state: 'État',
  stateHint:
    'Chaque serveur se signale à quelques secondes d’intervalle. Si l’un s’arrête, les autres ' +
    'reprennent ses conversations et ses tâches.',
  alive: 'En marche',
  dead: 'Ne répond pas',
  queue: 'File d’attente',
  pending: 'Livraisons en attente',
  lanes: 'Conversations en cours',
  oldest: 'Livraison la plus ancienne',
  seconds: (seconds) => `${Math.round(seconds)} s`,
  deadLetters: 'Livraisons en échec',
  database: 'Base de données',
  size: 'Taille',
  table: 'Table',
  rows: 'Lignes (estimation)',
  allTables: (count) => `Afficher les ${thousands(count)} tables`,
  notCounted: 'pas encore comptées',
  megabytes: (bytes) => `${(bytes / 1_000_000).toLocaleString('fr', oneDigit)}\u202fMo`,
  checks: 'Vérifications',
  runChecks: 'Lancer les vérifications',
  checksHint:
    'Les mêmes vérifications que la commande `botstead doctor`. Elles durent quelques secondes.',
  passed: (count) => amount(count, 'vérification réussie', 'vérifications réussies'),
  states: { bad: 'Erreur', advice: 'Conseil' },
  settings: 'Paramètres',
  settingsHint:
    'Variables d’environnement du serveur. Elles sont ici en lecture seule : pour en modifier ' +
    'une, arrêtez le serveur, définissez la variable (par exemple `BOTSTEAD_PORT=8080 npm ' +
    'start`) et redémarrez-le. La page « Paramètres du serveur » contient ceux que vous pouvez ' +
    'modifier dans le navigateur.',
  searchSettings: 'Rechercher un paramètre',
  noSetting: 'Aucun paramètre ne contient ces mots.',
  groups: {
    server: 'Serveur et adresses',
    storage: 'Données et sauvegardes',
    security: 'Connexion et clés',
    retention: 'Conservation',
    code: 'Code hébergé',
    models: 'Modèles',
    limits: 'Limites',
  },
  notSet: 'non défini',
  unlimited: 'sans limite',
  on: 'oui',
  off: 'non',
  days: (days) => amount(days, 'jour'),
  hours: (hours) => amount(hours, 'heure'),
  perSecond: (count) => `${count} par seconde`,
  perMinute: (count) => `${count} par minute`,
  characters: (count) => `${count} caractères`,
}
