import type { broadcasts as English } from '../../en/bot/broadcasts.ts'
import { amount, thousands } from '../amount.ts'

export const broadcasts: typeof English = {
  title: 'Difusiones',
  hint:
    'Un mensaje para muchas personas. Cada persona lo recibe una sola vez; quienes escribieron STOP no ' +
    'reciben ninguno.',
  add: 'Nueva difusión',
  empty: 'No hay difusiones',
  emptyHint:
    'Escriba un mensaje para las personas de un canal, una etiqueta o una tabla.',
  name: 'Nombre',
  channel: 'Canal',
  integration: 'Integración',
  state: 'Estado',
  states: {
    scheduled: 'Programada',
    resolving: 'Buscando destinatarios',
    sending: 'Enviando',
    stopped: 'Detenida',
    done: 'Terminada',
    failed: 'Fallida',
  },
  startAt: 'Inicio',
  startAtHint: 'Vacío: ahora. En su zona horaria.',
  text: 'Mensaje',
  textHint:
    'Variables: {{ user.tags.city }}, con un valor predeterminado {{ user.name ?? "cliente" }}, de una ' +
    'fila {{ row.city }}. Una persona sin valor no recibe el mensaje. Para otros tipos de mensajes, use ' +
    'la API o la línea de comandos.',
  userTags: 'Solo usuarios con las etiquetas',
  conversationTags: 'Solo conversaciones con las etiquetas',
  tagsHint: 'nombre=valor; pulse Intro después de cada una',
  invalidTag: (tag) => `«${tag}» no tiene la forma nombre=valor`,
  table: 'Solo personas de una tabla',
  tableHint: 'Nombre de la tabla',
  column: 'Columna con los id de usuarios o conversaciones',
  perMinute: 'Mensajes por minuto',
  hasQuietHours: 'Horas de silencio',
  quietHint: 'En estas horas no se envía ningún mensaje.',
  from: 'Desde',
  to: 'Hasta',
  timezone: 'Zona horaria',
  timezoneTag: 'Etiqueta de los usuarios con su zona horaria',
  create: 'Enviar',
  createHint: 'Se envía de inmediato o a la hora de inicio.',
  preview: 'Simular envío',
  previewResult: (recipients, skipped) =>
    `Recibirían el mensaje: ${amount(recipients, 'persona')}; se omitirían: ${thousands(skipped)}`,
  atLeast: 'Recuento de 20 segundos: hay más.',
  examples: 'Primeros mensajes',
  stop: 'Detener',
  stopped: 'Difusión detenida',
  resume: 'Reanudar',
  resumed: 'La difusión continúa',
  delete: 'Eliminar',
  deleteEffect: (name) =>
    `Se eliminan ${name} y su informe. Los mensajes se conservan en sus conversaciones.`,
  export: 'Descargar CSV',
  file: 'destinatarios.csv',
  progress: (done, total) => `${thousands(done)} de ${thousands(total)}`,
  progressLabel: 'Progreso',
  report: 'Informe',
  recipients: 'Destinatarios',
  noRecipients: 'No hay destinatarios',
  noRecipientsHint: 'El servidor los busca cuando empieza la difusión.',
  user: 'Usuario',
  reason: 'Motivo',
  sentAt: 'Enviado',
  conversation: 'Conversación',
  unknownRows: (count) =>
    `${amount(count, 'fila de la tabla no indica', 'filas de la tabla no indican')} ningún usuario ni ` +
    'ninguna conversación',
  recipientStates: {
    waiting: 'En espera',
    sending: 'En camino',
    sent: 'Enviado',
    delivered: 'Entregado',
    read: 'Leído',
    failed: 'Fallido',
    skipped: 'Omitido',
  },
  reasons: {
    opted_out: 'no quiere difusiones',
    no_conversation: 'sin conversación en el canal',
    missing_variable: 'una variable no tiene valor',
    too_long: 'el mensaje es demasiado largo',
    deleted: 'la conversación se eliminó',
    rejected: 'el mensaje fue rechazado',
    not_delivered: 'el canal no lo aceptó',
  },
}
