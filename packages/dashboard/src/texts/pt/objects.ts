import type { states as EnglishStates, tags as EnglishTags } from '../en/objects.ts'

export const tags: typeof EnglishTags = {
  name: 'Nome',
  value: 'Valor',
  add: 'Adicionar',
  remove: (name: string) => `Remover ${name}`,
}
export const states: typeof EnglishStates = {
  none: {
    conversation: 'O bot não declara estados de conversas.',
    user: 'O bot não declara estados de usuários.',
  },
  notSet: 'Não definido',
  edit: 'Editar',
  editOf: (name: string) => `Editar ${name}`,
  saved: 'O estado foi salvo',
}
