import type { privacy as English } from '../../en/bot/privacy.ts'
import { amount } from '../amount.ts'

const days = (count: number) => amount(count, 'día')

export const privacy: typeof English = {
  title: 'Privacidad',
  retention: 'Conservación',
  retentionHint:
    'El servidor elimina los datos de este bot después de estos días. Un campo vacío conserva los datos, ' +
    'hasta el límite de la instalación.',
  days,
  inDays: (kind) => `${kind} (días)`,
  limit: (count) => `Máximo en esta instalación: ${days(count)}`,
  noLimit: 'Siempre',
  save: 'Guardar…',
  saveTitle: 'Cambiar la conservación',
  saveNow: 'Guardar y eliminar',
  nothing:
    'Ahora no hay nada más antiguo. El servidor elimina los datos a medida que alcanzan este plazo.',
  deletes: 'El servidor eliminará ahora, en segundo plano:',
  inFlight:
    'Se conservan los datos en uso: entregas pendientes, traspasos abiertos, procesos (workflows) en curso ' +
    'y mensajes programados.',
  kinds: {
    conversations: 'Conversaciones',
    messages: 'Mensajes',
    events: 'Eventos',
    users: 'Usuarios sin conversaciones',
    files: 'Archivos de usuarios',
    logs: 'Líneas de registro',
    traces: 'Trazas',
    issues: 'Incidencias',
    deadLetters: 'Entregas fallidas',
    webhookRequests: 'Solicitudes de webhook guardadas',
    recordings: 'Grabaciones de llamadas a modelos',
    tableRows: 'Filas de usuarios en tablas',
  },
  hints: {
    conversations: 'Con mensajes, eventos y estados, después de la última actividad',
    messages: 'Por antigüedad, también en conversaciones activas',
    events: 'Por antigüedad, también en conversaciones activas',
    users: 'Con sus estados, después de su último cambio',
    files: 'Después de su último cambio',
    traces:
      'Los pasos del bot para cada mensaje, con mediciones y ejecuciones de acciones',
    issues: 'Después de su último evento',
    deadLetters: 'Eventos y mensajes que el servidor no pudo entregar',
    recordings:
      'Si el servidor las guarda, después de la última llamada con la misma solicitud',
    tableRows:
      'Con un usuario en una columna marcada como id de usuarios, después de su último cambio. Las demás ' +
      'filas se conservan',
  },
  redaction: {
    title: 'Ocultación de datos',
    hint:
      'El servidor sustituye las coincidencias en los datos nuevos. Almacenamiento: mensajes de personas, ' +
      'eventos, traspasos, comentarios de valoraciones y datos de visitantes; el bot también recibe el ' +
      'texto sustituido. Registros: también trazas e incidencias. Modelos: prompts. Si un patrón propio ' +
      'tarda demasiado con un texto, el servidor sustituye el texto entero y una incidencia indica el ' +
      'patrón.',
    storageEffect:
      'Los bots reciben el texto sustituido: si el bot pregunta por estos datos, nunca obtiene la respuesta.',
    asksFor: (questions) =>
      `Este bot los pide: ${questions.map((question) => `«${question}»`).join(', ')}.`,
    installation: (kinds) =>
      `Para todos los bots de esta instalación: ${kinds.join(', ')}`,
    kinds: {
      email: 'Direcciones de correo',
      phone: 'Números de teléfono',
      card: 'Números de tarjeta',
      iban: 'IBAN',
      custom: 'Patrón propio',
    },
    places: { storage: 'Almacenamiento', logs: 'Registros', models: 'Modelos' },
    where: 'lugares',
    pattern: 'Patrón',
    replacement: 'Sustitución',
    add: 'Añadir un patrón',
    remove: 'Quitar',
    try: 'Probar un texto',
    tryHint: 'El texto no se guarda.',
    show: 'Mostrar coincidencias',
    noMatch: 'No hay coincidencias.',
  },
  count: 'Contar qué se eliminaría',
  erasures: {
    title: 'Supresiones',
    hint:
      'Cada supresión de los datos de una persona tiene un comprobante firmado por el servidor. ' +
      'Demuestra la supresión y no contiene datos personales.',
    none: 'Nadie ha suprimido todavía los datos de una persona.',
    erased: 'suprimido',
    running: 'en curso, iniciada',
    verify: 'Verificar',
    verifyOf: (user) => `Verificar el comprobante de ${user}`,
    verifyFile: 'Verificar un comprobante',
    download: 'Descargar',
    downloadOf: (user) => `Descargar el comprobante de ${user}`,
    valid: 'Válido: este servidor firmó el comprobante y no ha cambiado.',
    of: (user) => `Datos suprimidos de ${user}:`,
    reasons: {
      MALFORMED: 'No válido: esto no es un comprobante de una supresión.',
      MODIFIED: 'No válido: el comprobante se cambió después de firmarse.',
      OTHER_SIGNER: 'No válido: el comprobante lo firmó otro servidor.',
    },
  },
  people: 'Datos de una persona',
  peopleHint: 'Abra un usuario para exportar o suprimir todo lo relativo a esta persona.',
  peopleReadOnly:
    'Abra un usuario para ver los datos de esta persona. Allí, los desarrolladores, gestores, ' +
    'administradores y propietarios del espacio de trabajo pueden exportarlo o suprimirlo todo.',
  toUsers: 'Elegir un usuario',
  byMessage: (link) =>
    'Los visitantes a menudo no tienen nombre. Para encontrar a una persona por un mensaje, por ejemplo, ' +
    `por una dirección de correo, use «${link}».`,
  toMessages: 'Buscar mensajes',
}
