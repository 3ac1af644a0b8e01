import type { issues as English } from '../../en/bot/issues.ts'
import { amount } from '../amount.ts'

export const issues: typeof English = {
  title: 'Incidents',
  status: 'Statut',
  statuses: { open: 'Ouvert', resolved: 'Résolu', muted: 'Ignoré' },
  empty: 'Aucun incident',
  emptyHint: 'Les erreurs du bot s’affichent ici, un incident par cause.',
  issue: 'Incident',
  count: 'Occurrences',
  seen: 'Vu la dernière fois',
  first: 'Vu la première fois',
  resolve: 'Résoudre',
  mute: 'Ignorer',
  reopen: 'Rouvrir',
  changed: (status) => `L’incident est désormais « ${status} »`,
  occurrences: 'Dernières occurrences',
  resolvedByRedelivery:
    'Résolu par le serveur : tous ses événements ont été renvoyés et traités.',
  resolveHint:
    'Un incident résolu se rouvre s’il se reproduit. Un incident ignoré le reste.',
  /** By the code of an issue. */
  explanations: {
    event_refused:
      'Le bot a répondu à un événement par un statut de 400 à 499 : le serveur ne le réessaie ' +
      'donc pas. Les bots de `@botpress/sdk` répondent ainsi quand leur gestionnaire lève une ' +
      'erreur. Corrigez la cause, puis renvoyez l’événement sur la page « Livraisons ».',
    register_failed:
      'Après chaque déploiement, le serveur appelle le gestionnaire du bot avec l’opération ' +
      '`register`, pour que le bot puisse se préparer. Cet appel a échoué.',
    integration_not_registered:
      'Après une installation, une nouvelle configuration ou un déploiement, le serveur appelle ' +
      'le gestionnaire de l’intégration avec l’opération `register`, pour que l’intégration ' +
      'puisse se préparer, par exemple en définissant son webhook. Cet appel a échoué.',
  },
  trace: 'Trace',
  logged: 'Erreur dans le journal de la dernière occurrence',
  conversation: 'Conversation',
  user: 'Utilisateur',
  stale: 'avant le dernier déploiement',
  staleHint: (deployedAt) =>
    `Certains incidents ne se sont pas reproduits depuis le déploiement du ${deployedAt}.`,
  resolveStale: 'Les résoudre',
  resolveStaleHint: 'Un incident qui se reproduit se rouvre.',
  resolvedStale: (count) => amount(count, 'incident résolu', 'incidents résolus'),
}
