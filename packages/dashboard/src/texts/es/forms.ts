import type { forms as English } from '../en/forms.ts'

/** By the English words of the library of forms. */
export const forms: typeof English = {
  words: {
    'Move up': 'Subir',
    'Move down': 'Bajar',
    Copy: 'Copiar',
    Remove: 'Quitar',
    'clear input': 'borrar entrada',
    Yes: 'Sí',
    No: 'No',
    'Option %1': 'Opción %1',
    '%1 option %2': '%1, opción %2',
    '%1 Key': 'Clave de %1',
    'New Value': 'Nuevo valor',
  },
}
