import type { users as English } from '../../en/bot/users.ts'
import { amount } from '../amount.ts'

export const users: typeof English = {
  title: 'Usuarios',
  choiceHint: 'Nombre, etiqueta o id',
  noChoice:
    'No se encontró ningún usuario. Escriba el principio de un nombre, nombre=valor de una etiqueta o un id.',
  user: 'Usuario',
  empty: 'No hay usuarios',
  emptyHint: 'Las integraciones crean usuarios cuando la gente escribe al bot.',
  noneFound: 'Ningún usuario coincide con los filtros',
  hiddenHint:
    'Los usuarios que nunca escribieron y los miembros que responden están ocultos. Los filtros los ' +
    'muestran.',
  hidden: 'Ocultos',
  silent: 'Usuarios que nunca escribieron',
  members: 'Miembros',
  /** Of both. */
  shown: { shown: 'Visibles', only: 'Solo estos' },
  byMessage: (link) =>
    `Solo nombres y etiquetas. Para encontrar a una persona por un mensaje, use «${link}».`,
  toMessages: 'Buscar mensajes',
  name: 'Nombre',
  noName: 'ninguno',
  picture: 'Dirección de la imagen',
  noPicture: 'ninguna',
  tag: 'Etiqueta',
  tagHint: 'nombre=valor',
  integration: 'Integración',
  noIntegration: 'ninguna',
  conversations: 'Conversaciones',
  conversationCount: (count) => amount(count, 'conversación', 'conversaciones'),
  conversation: (integration, count) => `${integration} · ${amount(count, 'mensaje')}`,
  noConversations: 'No hay conversaciones',
  member: 'Miembro',
  testUser: 'Usuario de prueba',
  testUserHint: 'Un miembro del espacio de trabajo que prueba el bot con «Probar el bot»',
  unnamed: 'Sin nombre',
  /** Without a name; the code is the end of the id. */
  visitor: (code) => `Visitante ${code}`,
  never: 'nunca',
  about: 'Sobre el usuario',
  created: 'Creación',
  lastMessage: 'Último mensaje',
  saved: 'Usuario guardado',
  tags: 'Etiquetas',
  noTags: 'Sin etiquetas',
  newTag: 'Nueva etiqueta',
  attributes: 'Atributos',
  attributesHint: 'La API los llama properties.',
  noAttributes: 'Sin atributos',
  newAttribute: 'Nuevo atributo',
  states: 'Estados',
  delete: 'Eliminar usuario',
  deleteHint:
    'Se eliminan el usuario, sus mensajes y archivos, y sus conversaciones sin otros participantes. Los ' +
    'registros, las trazas y las filas de tablas se conservan: para suprimirlo todo, use Datos personales. ' +
    'No se puede deshacer.',
  deleted: 'Usuario eliminado',
}
