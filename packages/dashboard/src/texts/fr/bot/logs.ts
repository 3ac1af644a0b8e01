import type { logs as English } from '../../en/bot/logs.ts'

export const logs: typeof English = {
  title: 'Journaux',
  search: 'Rechercher dans le texte',
  level: 'Niveau',
  levels: {
    all: 'Tous',
    debug: 'Débogage',
    info: 'Info',
    warn: 'Avertissement',
    error: 'Erreur',
  },
  conversation: 'Identifiant de conversation',
  conversationHint: 'conv_…',
  range: 'Période',
  ranges: {
    hour: 'Dernière heure',
    day: 'Dernières 24 h',
    week: '7 derniers jours',
    all: 'Tout',
  },
  empty: 'Aucune ligne de journal',
  emptyHint: 'Les lignes que le bot écrit dans sa sortie s’affichent ici.',
  live: 'Les nouvelles lignes s’affichent en haut.',
  time: 'Heure',
  line: 'Ligne',
  trace: 'Trace',
}
