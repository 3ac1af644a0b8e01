import type { search as English } from '../en/search.ts'
import { amount } from './amount.ts'

export const search: typeof English = {
  title: 'Buscar',
  label: 'Buscar páginas, bots, usuários e conversas',
  labelOfWorkspace: 'Buscar páginas e bots',
  findBot: 'Buscar um bot',
  keys: '↑ ↓ escolhem, Enter abre, Esc fecha',
  searching: 'Buscando…',
  found: (count: number) =>
    count === 0 ? 'Nada encontrado' : amount(count, 'resultado'),
  pages: 'Páginas',
  workspace: 'Espaço de trabalho',
  knowledge: {
    websites: 'Sites',
    answers: 'Respostas',
    unanswered: 'Sem resposta',
    search: 'Testar uma pergunta',
    checks: 'Verificação',
  },
}
