import type {
  access as EnglishAccess,
  audit as EnglishAudit,
  members as EnglishMembers,
  tokens as EnglishTokens,
} from '../en/workspace.ts'
import { amount, thousands } from './amount.ts'

export const members: typeof EnglishMembers = {
  title: 'Miembros',
  list: 'Miembros del espacio de trabajo',
  name: 'Nombre',
  role: 'Rol',
  since: 'Incorporación',
  roleOf: (name) => `Rol de ${name}`,
  remove: 'Quitar',
  removeOne: (name) => `Quitar a ${name}`,
  removeText:
    'La persona pierde de inmediato el acceso a este espacio de trabajo. Sus tokens y sesiones siguen ' +
    'siendo válidos en los demás.',
  lastOwner: 'Un espacio de trabajo debe tener un propietario',
  you: 'usted',
  unverified: 'Dirección no verificada',
  pending:
    'Dirección no verificada: otro espacio de trabajo creó esta cuenta. El rol se aplica cuando la persona ' +
    'inicia sesión en el proveedor de identidad o con un enlace del operador, o acepta un enlace de ' +
    'invitación.',
  invite: 'Invitar',
  inviteTitle: 'Invitar a una persona',
  email: 'Correo electrónico',
  inboxRole:
    'Para responder en la bandeja de entrada, una persona necesita el rol Agente, Desarrollador o uno ' +
    'superior.',
  mailed: (email) =>
    `El servidor envía este enlace a ${email}. Sirve una sola vez, durante siete días, y solo se muestra ` +
    'ahora.',
  create: 'Crear enlace',
  created:
    'Envíe este enlace a la persona. Sirve una sola vez, durante siete días, y solo se muestra ahora.',
  invitations: 'Invitaciones',
  noInvitations: 'No hay invitaciones abiertas.',
  expires: 'caduca',
  expired: 'caducó',
  withdraw: 'Retirar',
  withdrawOne: (email) => `Retirar la invitación de ${email}`,
  withdrawText: 'Su enlace deja de funcionar.',
  used: 'La invitación ya se usó o se retiró',
  usedHint: 'Si la persona la aceptó, quítela de los miembros.',
  roles: {
    viewer: 'Lector',
    agent: 'Agente',
    editor: 'Editor',
    billing: 'Facturación',
    developer: 'Desarrollador',
    manager: 'Gestor',
    administrator: 'Administrador',
    owner: 'Propietario',
  },
  roleHints: {
    viewer: 'Lee los bots y las conversaciones',
    agent: 'Responde en la bandeja de entrada y no ve nada más',
    editor: 'Edita documentos, respuestas y respuestas rápidas, y lee las conversaciones',
    billing: 'Consulta el uso y sus límites, pero no los bots ni las conversaciones',
    developer: 'Modifica los bots y responde en la bandeja de entrada',
    manager: 'Además, lee el registro de auditoría',
    administrator: 'Además, administra los miembros',
    owner: 'Puede hacerlo todo',
  },
}
export const tokens: typeof EnglishTokens = {
  title: 'Tokens',
  hint: 'Para programas y la línea de comandos. Un token tiene todos los permisos de su cuenta.',
  empty: 'No tiene tokens',
  note: 'Nota',
  created: 'Creación',
  create: 'Crear token',
  shown: 'El token solo se muestra ahora:',
  revoke: 'Revocar',
  revokeOne: (note) => `Revocar ${note}`,
  revokeText: 'Los programas que usan el token dejan de funcionar.',
}
export const access: typeof EnglishAccess = {
  title: 'Acceso',
  hint: 'Miembros con acceso a este bot. Los administradores y los propietarios lo tienen siempre.',
  all: 'Todos los miembros del espacio de trabajo',
  selected: 'Miembros seleccionados',
  visibility: 'Visibilidad',
  members: 'Miembros con acceso',
}
export const audit: typeof EnglishAudit = {
  title: 'Registro de auditoría',
  search: 'Buscar en el registro de auditoría',
  searchHint: 'Operación, objeto o dirección',
  empty: 'No hay entradas',
  emptyHint: 'Ninguna entrada contiene este texto.',
  operation: 'Operación',
  by: 'Autor',
  at: 'Hora',
  from: 'Origen',
  deployment: 'despliegue',
  operations: {
    'token.firstUseFromAddress': 'Usar un token desde una dirección nueva',
    'session.createLink': 'Crear un enlace de inicio de sesión',
    'session.startedBy.link': 'Iniciar sesión con un enlace',
    'session.startedBy.password': 'Iniciar sesión con contraseña',
    'session.startedBy.invitation': 'Iniciar sesión con una invitación',
    'session.startedBy.openId': 'Iniciar sesión con OpenID Connect',
    'session.failed': 'Iniciar sesión',
    'session.copied': 'Usar una sesión copiada',
    'account.addressProved': 'Verificar una dirección de correo',
    'platform.importWorkspace': 'Importar un espacio de trabajo',
  },
  /** By the prefix of the id. */
  kinds: {
    answer: 'una respuesta',
    bak: 'una clave de un bot',
    bot: 'un bot eliminado',
    botver: 'una versión eliminada',
    broadcast: 'una difusión eliminada',
    budget: 'un presupuesto',
    conv: 'una conversación',
    dlv: 'una entrega fallida',
    erasure: 'una supresión de datos',
    evt: 'un evento',
    file: 'un archivo eliminado',
    handoff: 'un traspaso',
    iak: 'una clave de una integración',
    intver: 'una integración',
    invite: 'una invitación',
    iss: 'una incidencia',
    kb: 'una base de conocimientos eliminada',
    kcheck: 'una comprobación de conocimientos',
    ksource: 'un sitio web eliminado',
    msg: 'un mensaje',
    note: 'una nota',
    pat: 'un token revocado',
    session: 'una sesión',
    table: 'una tabla eliminada',
    tabjob: 'una tarea de una tabla',
    user: 'un usuario',
  },
  results: { done: 'hecho', refused: 'rechazado', failed: 'con error' },
  verify: 'Verificar',
  verifying: 'Comprobando todas las entradas…',
  whole: (checked) =>
    `${amount(checked, 'entrada comprobada', 'entradas comprobadas')}, sin ningún cambio.`,
  fault: (number, reason) => `Entrada ${thousands(number)}: ${reason}.`,
  faults: {
    'a record is missing': 'falta una entrada',
    'the record or its predecessor was modified': 'se modificó la entrada o la anterior',
    'the anchor record is missing': 'falta la entrada del ancla',
    'the record does not match the anchor': 'la entrada no coincide con el ancla',
    "the chain's end does not match its last record":
      'el final del registro no coincide con su última entrada',
    "there are records after the chain's end":
      'hay entradas después del final del registro',
  },
  anchor:
    'Para detectar más adelante si se han quitado las entradas más recientes, guarde este punto de ' +
    'control en otro lugar:',
  export: 'Exportar',
  exporting: (count) => `${amount(count, 'entrada')}…`,
}
