import type { wizards as English } from '../../../en/bot/studio/wizards.ts'
import { amount } from '../../amount.ts'

/** The wizards of dialogues. */
export const wizards: typeof English = {
  title: 'Añadir un diálogo',
  choose:
    'Elija qué debe hacer el bot. Después, podrá editarlo como cualquier otro flujo.',
  language: 'Idioma de los textos',
  kinds: {
    contact: {
      title: 'Formulario de contacto',
      hint: 'Pide nombre, correo y mensaje, los guarda y avisa a una persona.',
    },
    booking: {
      title: 'Reserva con horas libres',
      hint: 'Ofrece horas libres, reserva una y permite cambiarla o cancelarla después.',
    },
    order: {
      title: 'Estado del pedido',
      hint: 'Busca un pedido por su número en una tabla e indica su estado.',
    },
    rating: {
      title: 'Satisfacción',
      hint: 'Pide una valoración de 1 a 5 y un comentario.',
    },
    own: {
      title: 'Sus propias preguntas',
      hint: 'Pregunta lo que usted quiere saber y guarda las respuestas.',
    },
  },
  back: 'Elegir otro diálogo',
  create: 'Añadir al borrador',
  faults: (count) => `${amount(count, 'campo')} por corregir`,
  name: 'Nombre del diálogo',
  // Questions.
  questions: 'Preguntas',
  question: (number) => `Pregunta ${number}`,
  answerName: 'Nombre corto',
  answerNameHint: 'Para la tabla y para el resumen que ve el visitante.',
  ask: 'Pregunta',
  kind: 'Respuesta',
  choices: 'Opciones, una por línea',
  isOptional: 'El visitante puede omitirla',
  add: 'Añadir una pregunta',
  presets: {
    name: 'Nombre',
    email: 'Correo',
    phone: 'Teléfono',
    date: 'Fecha',
    message: 'Mensaje',
  },
  isConfirmed: 'Antes de guardar, preguntar si las respuestas son correctas',
  closing: 'Último mensaje',
  tellsPerson: 'Después, traspasar la conversación a una persona',
  tellsPersonHint:
    'Sus compañeros la ven en la bandeja de entrada, con un resumen. El bot no responde ' +
    'hasta que la cierran.',
  // Bookings.
  hours: 'Horario',
  hoursHint:
    'Por ejemplo: 09:00-12:00, 13:00-17:00. Deje vacíos los días en los que no se puede reservar.',
  days: ['Lunes', 'Martes', 'Miércoles', 'Jueves', 'Viernes', 'Sábado', 'Domingo'],
  minutes: 'Duración de una reserva, en minutos',
  capacity: 'Reservas al mismo tiempo',
  noticeHours: 'Antelación mínima, en horas',
  daysAhead: 'Antelación máxima, en días',
  timezone: 'Zona horaria',
  timezoneHint:
    'Será la zona horaria del bot. Sus otros flujos también leen las fechas en ella.',
  timezoneKnown: (zone) => `Las horas están en la zona horaria del bot, ${zone}.`,
  // Tables.
  table: 'Tabla',
  storedIn: 'Guardar las respuestas en',
  ordersIn: 'Los pedidos están en',
  newTable: 'Una tabla nueva',
  noTable: 'Ninguna tabla',
  tableName: 'Nombre de la tabla nueva',
  newColumns: (columns) =>
    'Publique el borrador: la tabla se crea con el primer visitante del diálogo, con las columnas ' +
    `${columns}.`,
  columnFor: (name) => `Columna para «${name}»`,
  newColumn: 'Una columna nueva',
  notStored: 'No se guarda',
  keyHint:
    'Las reservas necesitan una tabla cuya columna clave sea de texto. Las demás no se muestran.',
  parts: {
    slot: 'hora y plaza (única)',
    time: 'hora (UTC)',
    local: 'hora en la zona horaria del bot',
    code: 'número de reserva',
    status: 'estado',
    rating: 'valoración',
    comment: 'comentario',
  },
  numberColumn: 'Columna con el número de pedido',
  checkColumn: 'Segunda columna que debe coincidir, como el correo',
  checkHint: 'Sin ella, cualquiera que conozca un número puede ver el estado.',
  noCheck: 'Ninguna',
  sentence: 'Respuesta',
  sentenceHint: (columns) =>
    `Las columnas entre llaves se sustituyen por sus valores: ${columns}`,
  offersPerson: 'Ofrecer una persona si no se encuentra el pedido',
  // Ratings.
  rating: 'Pregunta',
  asksComment: 'Pedir un comentario, que se puede omitir',
  lowUpTo: 'Ofrecer una persona',
  low: ['Nunca', 'Con 1', 'Con 1 o 2', 'De 1 a 3', 'De 1 a 4'],
  afterHandoff: 'Preguntar también cuando una persona ha cerrado una conversación',
  // Ways into it.
  reach: 'Cómo llegan los visitantes',
  words: 'Palabras que lo inician',
  wordsHint:
    'Separadas por comas. Un mensaje que contiene una de ellas inicia el diálogo.',
  button: 'Botón',
  buttonHint: 'Déjelo vacío si no quiere un botón.',
  greeting: 'Lugar del botón',
  below: (text) => `Debajo de «${text}»`,
  newGreeting: 'En un saludo nuevo, cuando empieza una conversación',
  greetingText: 'Texto encima del botón',
  greetingTextHint: 'Si el saludo aún no tiene botones.',
  // What it makes.
  makes: 'Esto se añade al borrador',
  makesFlow: (name, steps) => `El flujo ${name}, con ${amount(steps, 'paso')}`,
  makesTable: (name) => `La tabla ${name}`,
  makesColumn: (table) => `Una columna de la tabla ${table}`,
  makesTrigger: (name) => `El disparador ${name}`,
  makesButton: (flow) => `Un botón (${flow})`,
  makesTimezone: (zone) => `La zona horaria ${zone} del bot`,
}
