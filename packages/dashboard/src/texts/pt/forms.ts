import type { forms as English } from '../en/forms.ts'

export const forms: typeof English = {
  words: {
    'Move up': 'Mover para cima',
    'Move down': 'Mover para baixo',
    Copy: 'Copiar',
    Remove: 'Remover',
    'clear input': 'limpar o campo',
    Yes: 'Sim',
    No: 'Não',
    'Option %1': 'Opção %1',
    '%1 option %2': '%1: opção %2',
    '%1 Key': '%1: chave',
    'New Value': 'Novo valor',
  },
}
