import type { inbox as English } from '../../en/bot/inbox.ts'

export const inbox: typeof English = {
  title: 'Bandeja de entrada',
  list: 'Traspasos',
  which: 'Qué traspasos',
  lists: {
    waiting: 'En espera',
    mine: 'Míos',
    open: 'Abiertos',
    closed: 'Cerrados',
  },
  counted: (name, count) => (count ? `${name} (${atMost(count)})` : name),
  waitingCount: (count) => `${atMost(count)} en espera`,
  empty: {
    waiting: 'Ninguna conversación espera a una persona',
    mine: 'No está atendiendo ninguna conversación',
    open: 'No hay traspasos abiertos',
    closed: 'Aún no hay traspasos cerrados',
  },
  emptyHint:
    'Las conversaciones aparecen aquí cuando el bot, un miembro o una regla (por ejemplo, una palabra como ' +
    '«persona») las traspasa a una persona.',
  takeOverHint:
    'Para responder en lugar del bot en cualquier momento, abra una conversación y elija «Tomar el ' +
    'control».',
  toConversations: 'Conversaciones',
  user: 'Usuario',
  last: 'Último mensaje',
  reason: 'Motivo',
  answers: 'Responde',
  since: 'Solicitud',
  closed: 'Cierre',
  nobody: 'Nadie',
  /** Without a member. */
  unassigned: {
    waiting: 'Nadie',
    assigned: 'Un agente del centro de soporte',
    closed: 'Nadie',
  },
  you: 'Usted',
  /** Appended to a name. */
  ofYou: (name) => `${name} (usted)`,
  former: 'Un antiguo miembro',
  /** For roles that may not read the names of members. */
  someMember: 'Un miembro',
  back: 'Volver a la lista',
  about: 'Detalles',
  summary: 'Resumen',
  waiting: 'Aún no responde ninguna persona.',
  atHelpDesk:
    'Se responde desde el centro de soporte. Si cierra el traspaso, el ticket sigue abierto allí.',
  mine: 'Responde usted. El bot no recibe nada.',
  seenAs: (name) => `Los visitantes ven este nombre: ${name}.`,
  unnamed: 'Los visitantes no ven su nombre.',
  changeName: 'Cambiar el nombre',
  ownName: {
    title: 'Su nombre en el chat',
    hint: 'Los visitantes ven este nombre encima de sus respuestas. Si queda vacío, no ven ninguno.',
    name: 'Nombre',
  },
  mineRelayed: 'Responde usted. El bot también recibe los mensajes.',
  other: (name) => `${name} atiende esta conversación`,
  otherHint: 'Para responder usted, tome el control.',
  otherDraft: 'Su borrador se conserva. Para responder usted, tome el control.',
  outcomes: {
    returned: 'Conversación devuelta al bot, que vuelve a responder.',
    solved: 'Traspaso cerrado como resuelto. El bot responde los mensajes nuevos.',
  },
  take: 'Atender',
  takeOver: 'Tomar el control',
  openInbox: 'Abrir en la bandeja de entrada',
  reopen: 'Abrir de nuevo',
  return: 'Devolver al bot',
  returnHint:
    'La solicitud no está resuelta. El bot responde los mensajes nuevos y recibe el resultado «returned».',
  solve: 'Cerrar como resuelto',
  solveHint:
    'La solicitud está resuelta. El bot responde los mensajes nuevos y recibe el resultado «solved».',
  assign: 'Asignar',
  release: 'Dejar en espera',
  deleted: 'Este traspaso se eliminó',
  deletedHint:
    'Su conversación se eliminó; por ejemplo, porque se suprimieron los datos del usuario.',
  answer: 'Su respuesta',
  placeholder: 'Escriba una respuesta',
  unfilled: (variable) => `Sustituya ${variable} antes de enviar el mensaje.`,
  unsent: 'Su borrador no se ha enviado',
  unsentHint: 'El traspaso se cierra sin él.',
  send: 'Enviar',
  attach: 'Adjuntar un archivo',
  attached: (name) => `Adjunto: ${name}`,
  detach: (name) => `Quitar ${name}`,
  own: {
    states: { sent: 'Enviado', delivered: 'Entregado', read: 'Leído' },
    edited: 'Editado',
    edit: 'Editar',
    editOne: (time) => `Editar el mensaje (${time})`,
    editTitle: 'Editar mensaje',
    text: 'Texto',
    delete: 'Eliminar',
    deleteOne: (time) => `Eliminar el mensaje (${time})`,
    deleteTitle: '¿Eliminar el mensaje?',
    deleteHint: 'También desaparece del chat del usuario.',
  },
  filters: {
    text: 'Usuario o palabras',
    tag: 'Etiqueta',
    tagHint: 'nombre=valor',
    member: 'Responde',
    source: 'Traspasado por',
    sources: {
      request: 'El bot o un miembro',
      rule: 'Una regla',
      hitl: 'El plugin hitl',
    },
    none: 'Ningún traspaso coincide con los filtros',
  },
  writes: 'El usuario está escribiendo…',
  person: 'Usuario',
  handoff: 'Traspaso',
  requested: 'Solicitud',
  requestedBy: 'Solicitado por',
  bot: 'El bot',
  assigned: 'Asignación',
  answered: 'Primera respuesta',
  tags: {
    title: 'Etiquetas del traspaso',
    new: 'Nueva etiqueta del traspaso',
    none: 'El traspaso no tiene etiquetas',
  },
  notes: {
    title: 'Notas',
    hint: 'Las ven los miembros y el bot, pero no los usuarios.',
    text: 'Nueva nota',
    placeholder: 'Escriba una nota',
    add: 'Guardar nota',
    remove: (time) => `Eliminar la nota (${time})`,
  },
  replies: {
    title: 'Respuestas rápidas',
    insert: 'Insertar una respuesta rápida (Ctrl+J)',
    search: 'Buscar una respuesta',
    searchHint: 'Intro inserta la primera.',
    none: 'Este bot aún no tiene respuestas rápidas.',
    noneFound: 'Ninguna respuesta contiene estas palabras.',
    new: 'Nueva respuesta',
    edit: 'Editar respuesta',
    editOne: (name) => `Editar ${name}`,
    deleteOne: (name) => `Eliminar ${name}`,
    name: 'Nombre',
    text: 'Texto',
    variables:
      '{{user.name}} y {{agent.name}} se completan al insertar la respuesta. {{user.name|cliente}}: ' +
      '«cliente» para los usuarios sin nombre.',
    unknown: (variable) =>
      `${variable} no es una variable: un miembro debe sustituirla antes de enviar el mensaje.`,
  },
  rules: {
    button: 'Reglas',
    title: 'Reglas de traspaso a una persona',
    keywords: 'Palabras clave',
    keywordsHint:
      'Palabras o expresiones; Intro añade una. Un mensaje de un usuario que contiene una de ellas pasa a ' +
      'una persona.',
    failures: 'Respuestas fallidas',
    failuresHint:
      'Traspasa después de tantas seguidas: errores del bot, malas valoraciones y respuestas ' +
      'desconocidas de la tarjeta «answer». Vacío: nunca.',
    unanswered: 'Preguntas que el bot no puede responder',
    unansweredHint:
      'Para traspasar de inmediato, indique en onUnknown de la tarjeta «answer» un nodo con la tarjeta ' +
      '«handoff». Otras respuestas, como «No lo sé», cuentan como fallidas si el bot las marca.',
    unansweredLink: 'Cómo traspasar en un flujo',
    relays: 'El bot recibe mensajes durante los traspasos',
    relaysHint:
      'Para bots que los registran o los retransmiten. Si no, no recibe nada hasta el final.',
    message: 'Mensaje para el usuario',
    messageHint: 'Se envía cuando una regla traspasa la conversación. Vacío: ninguno.',
    hasHours: 'Horario de atención',
    hoursHint:
      'Fuera del horario, los usuarios reciben otro mensaje. Sin horario: siempre abierto.',
    timezone: 'Zona horaria',
    period: 'Horario de atención',
    days: {
      monday: 'Lun',
      tuesday: 'Mar',
      wednesday: 'Mié',
      thursday: 'Jue',
      friday: 'Vie',
      saturday: 'Sáb',
      sunday: 'Dom',
    },
    from: 'Desde',
    to: 'Hasta',
    addHours: 'Añadir horas',
    removeHours: 'Quitar estas horas',
    closedMessage: 'Mensaje fuera del horario',
    handsOver: 'Traspasar también fuera del horario',
    handsOverHint:
      'Si no, el bot sigue respondiendo. Sin palabras clave ni respuestas fallidas, cada mensaje fuera del ' +
      'horario pasa a una persona.',
  },
  notifications: {
    button: 'Recibir avisos',
    denied: 'Permita las notificaciones en el navegador',
    title: 'Una conversación espera a una persona',
    assigned: 'Se le asignó una conversación',
    message: (name) => `${name} le ha escrito`,
  },
  allConversations: 'Conversaciones de todos los canales',
  wholeConversation: 'Abrir la conversación',
}

/** Counting stops at 1000. */
const atMost = (count: number) => (count >= 1_000 ? '1000+' : String(count))
