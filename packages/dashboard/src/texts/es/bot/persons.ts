import type { persons as English } from '../../en/bot/persons.ts'
import { amount } from '../amount.ts'

export const persons: typeof English = {
  title: 'También conocido como',
  hint:
    'Usuarios de otros canales que son la misma persona. Comparten las variables que el bot guarda de un ' +
    'usuario.',
  none: 'No hay otros usuarios',
  addresses: 'Direcciones',
  noAddresses: 'No hay direcciones',
  proofs: {
    'mail-server': 'verificada por el servidor de correo',
    provider: 'verificada por el proveedor',
    signature: 'en una clave de usuario firmada',
    account: 'verificada por un miembro',
    bot: 'verificada por el bot',
  },
  claimed: 'sin verificar',
  alsoClaimed: 'también usada sin prueba',
  joined: {
    email: 'unido por el correo electrónico',
    phone: 'unido por el número de teléfono',
    id: 'unido por un id firmado',
    account: 'unido por un miembro',
    bot: 'unido por el bot',
  },
  suggestions: 'Quizá la misma persona',
  suggestion: (address) => `también escribe desde ${address}`,
  merge: 'Unir',
  mergeWith: (name) => `Unir con ${name}`,
  mergeTitle: '¿Unir dos usuarios?',
  mergeText:
    'Ambos comparten las variables que el bot guarda de un usuario. Donde los dos tienen un valor, queda ' +
    'el último que se escribió. Sus conversaciones siguen en sus canales. Puede volver a separarlos.',
  merged: 'Los usuarios son una misma persona',
  other: 'Otro usuario',
  apart: 'Personas distintas',
  keptApart: 'Los usuarios se mantienen separados',
  split: 'Separar',
  splitOff: (name) => `Separar a ${name}`,
  splitTitle: '¿Separar este usuario?',
  splitText:
    'Recupera las variables que tenía antes de la unión, con lo que se escribió después en sus propias ' +
    'conversaciones. Ninguna regla vuelve a unir estos usuarios.',
  isSplit: 'El usuario vuelve a ser una persona aparte',
  rules: {
    button: 'Misma persona',
    title: 'Usuarios que son una misma persona',
    hint: 'Unir usuarios cuando uno de ellos escribe y ambos tienen el mismo dato verificado:',
    kinds: { email: 'Correo electrónico', phone: 'Número de teléfono', id: 'Id firmado' },
    kindHints: {
      email: 'Según el servidor de correo o una clave de usuario firmada',
      phone: 'De SMS, WhatsApp o una clave de usuario firmada',
      id: 'De las claves de usuario que usted firma, o según su bot',
    },
    about: 'Cómo se verifican las direcciones',
    found: 'Sugerencias',
    noSuggestions: 'No hay dos usuarios con la misma dirección',
    users: (count) => amount(count, 'usuario'),
  },
}
