import type { bot as English } from '../../en/bot/bot.ts'
import { amount, thousands } from '../amount.ts'

export const bot: typeof English = {
  range: 'Période',
  newUsers: 'Nouveaux utilisateurs',
  returning: (count) => `${thousands(count)} déjà venus. Les membres ne sont pas comptés`,
  sessions: 'Sessions',
  sessionsHint: 'Les membres sont aussi comptés',
  messages: 'Messages',
  split: (user, bot) =>
    `Reçus : ${thousands(user)}, envoyés : ${thousands(bot)}. Les membres sont aussi comptés`,
  failures: 'Échecs',
  failuresHint:
    'Événements et messages de cette période qui ont échoué et n’ont pas été renvoyés',
  cost: 'Coût des modèles',
  calls: (count) => `${amount(count, 'appel')}, en dollars américains`,
  perDay: 'Messages par jour',
  received: 'Reçus',
  sent: 'Envoyés',
  noMessages: 'Aucun message sur cette période',
  issues: 'Incidents ouverts',
  noIssues: 'Aucun incident ouvert',
  occurrences: (count) => `${thousands(count)} fois`,
  deployment: 'Déploiement',
  deployedAt: 'Déployé',
  loadError: 'Le code ne se charge pas',
  notDeployed: 'Ce bot n’a pas encore de code',
  notDeployedHint: (page) => `Déployez des fichiers ou une version sur la page ${page}.`,
  notDeployedViewer: (page) =>
    `Un membre autorisé à modifier le bot peut le déployer sur la page ${page}.`,
  atUrl: 'Ce bot est hébergé à une URL.',
  allIssues: 'Tous les incidents',
  allVersions: 'Toutes les versions',
  deployments: 'Déploiements',
  noVersions: 'Aucune version pour le moment',
  isRunning: 'active',
  handoffs: {
    title: 'Transferts',
    inbox: 'Boîte de réception',
    firstAnswer: 'Jusqu’à la première réponse d’une personne',
    solution: 'Jusqu’à la résolution',
    return: 'Jusqu’à la reprise par le bot',
    none: 'aucun',
    within: (duration, count) =>
      `Médiane sur ${amount(count, 'transfert')} ; 95 % en moins de ${duration}`,
  },
}
