import type { trace as English } from '../../en/bot/trace.ts'
import { amount, decimal, thousands } from '../amount.ts'

export const trace: typeof English = {
  title: 'Traza',
  none: 'Este mensaje no se debe a ningún evento de un usuario.',
  event: 'Evento',
  statuses: {
    pending: 'pendiente',
    processed: 'procesado',
    ignored: 'ignorado',
    failed: 'fallido',
    scheduled: 'programado',
    canceled: 'cancelado',
  },
  status: 'Estado',
  run: (attempts, ms) =>
    attempts === 1 ? `Procesado en ${ms} ms` : `El intento ${attempts} tardó ${ms} ms`,
  pending: 'Aún sin procesar',
  failedAttempts: 'Intentos fallidos',
  attempt: (number) => `Intento ${number}`,
  attemptFailed: (number) => `El intento ${number} falló`,
  earlier: 'Antes de volver a entregar',
  answeredBy: (number, name) =>
    `Procesado por la versión ${number === undefined ? name : `#${number} ${name}`}`,
  levels: { debug: 'Depuración', info: 'Registro', warn: 'Aviso', error: 'Error' },
  innerFrames: (count) =>
    amount(
      count,
      'línea de la pila del servidor y Node',
      'líneas de la pila del servidor y Node',
    ),
  hookFailed: 'Falló un hook',
  codeFailed: 'Falló el código',
  timeline: 'Cronología',
  timelineEmpty: 'El código no hizo llamadas ni envió mensajes.',
  kinds: {
    call: 'Llamada',
    change: 'Estado',
    action: 'Acción',
    model: 'Modelo',
    message: 'Enviado',
    event: 'Evento',
  },
  failed: (status) => `falló con ${status}`,
  change: (from, to) => `${from} → ${to}`,
  noValue: 'nada',
  cached: 'en caché',
  modelUse: ({ inputTokens, outputTokens, cost, cached }) => {
    const dollars = cost.toLocaleString('es', {
      style: 'currency',
      currency: 'USD',
      maximumSignificantDigits: 3,
    })
    const tokens = `${inputTokens} + ${outputTokens} tokens`
    return `${tokens}, ${dollars}${cached ? ', en caché' : ''}`
  },
  steps: 'Pasos',
  calls: 'Llamadas',
  models: 'Modelos',
  messages: 'Mensajes',
  events: 'Eventos',
  logs: 'Líneas de registro',
  logsOf: (attempt) => `Líneas de registro del intento ${attempt}`,
  errors: 'Errores',
  error: 'Error',
  ms: (ms) => `${thousands(ms)} ms`,
  at: (at, ms) =>
    ms === undefined
      ? `a los ${thousands(at)} ms`
      : `a los ${thousands(at)} ms, tardó ${thousands(ms)} ms`,
  stepNames: {
    node: 'Nodo',
    card: 'Tarjeta',
    hook: 'Hook',
    said: 'Enviado',
    heard: 'Respuesta',
    call: 'Llamada',
    model: 'Modelo',
    tool: 'Herramienta',
    set: 'Variable',
    note: 'Nota',
  },
  json: 'Traza como JSON',
  details: 'Detalles para programadores',
  /** Events, types of messages and hooks. Other names are written as words. */
  names: {
    message_created: 'Mensaje recibido',
    message_updated: 'Mensaje cambiado',
    message_deleted: 'Mensaje eliminado',
    conversation_started: 'Conversación iniciada',
    participant_added: 'Participante añadido',
    state_expired: 'Estado caducado',
    child_workflow_finished: 'Parte de un proceso terminada',
  },
  /** Of a user, to the question of a card. */
  answers: {
    captured: 'Aceptada como respuesta a la pregunta',
    again: 'No respondía a la pregunta. El bot volvió a preguntar',
    failed: 'No respondía a la pregunta. El flujo continuó',
    cancelled: 'El usuario canceló',
  },
  curatedAnswer: 'Enviada: su respuesta a',
  found: 'Fragmentos encontrados',
  explainSearch: 'Explicar esta búsqueda',
  noPassages: 'No se encontraron fragmentos.',
  nonePassed: (score, minScore) =>
    'Ningún fragmento alcanzó la puntuación mínima de su base de conocimientos. El mejor tiene ' +
    `${score}; el mínimo es ${decimal(minScore)}.`,
  passage: (name, page, score, minScore) =>
    `${name}${page === undefined ? '' : `, página ${page}`} (puntuación ${score}${
      minScore === null ? '' : `, por debajo del mínimo ${decimal(minScore)}: no se usa`
    })`,
  left: (count) => `${amount(count, 'paso')} más`,
}
