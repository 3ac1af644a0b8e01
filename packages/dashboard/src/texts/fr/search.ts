import type { search as English } from '../en/search.ts'
import { amount } from './amount.ts'

export const search: typeof English = {
  title: 'Rechercher',
  label: 'Rechercher des pages, bots, utilisateurs et conversations',
  labelOfWorkspace: 'Rechercher des pages et des bots',
  findBot: 'Rechercher un bot',
  keys: '↑ ↓ pour choisir, Entrée pour ouvrir, Échap pour fermer',
  searching: 'Recherche…',
  found: (count) => (count === 0 ? 'Aucun résultat' : amount(count, 'résultat')),
  pages: 'Pages',
  workspace: 'Espace de travail',
  knowledge: {
    websites: 'Sites web',
    answers: 'Réponses',
    unanswered: 'Sans réponse',
    search: 'Tester une question',
    checks: 'Contrôle',
  },
}
