import type { personalData as English } from '../../en/bot/personal-data.ts'
import { amount } from '../amount.ts'

export const personalData: typeof English = {
  title: 'Datos personales',
  hint:
    'Todo lo que el servidor guarda sobre esta persona. La supresión elimina también los registros, las ' +
    'trazas y las filas de tablas que «Eliminar usuario» conserva.',
  export: 'Exportar datos',
  erase: 'Suprimir…',
  eraseTitle: 'Suprimir los datos de esta persona',
  eraseNow: 'Suprimir',
  eraseHint:
    'Suprime lo siguiente en todas partes, y también lo que llegue durante la supresión. Se conservan los ' +
    'mensajes de otras personas en conversaciones de varias personas. No se puede deshacer.',
  confirmation: 'suprimir',
  wholePerson: (count) => `También ${amount(count, 'usuario')} más de la misma persona`,
  wholePersonHint: 'Si no, primero se separa de ellos a este usuario.',
  unsearchedTables:
    'No se busca en estas tablas, porque ninguna de sus columnas está marcada como id de usuarios. Marque ' +
    'una en el menú de la columna o revise usted las filas:',
  backups: 'Estas copias de seguridad aún contienen a la persona:',
  erasing: 'Suprimiendo…',
  erasingHint: 'El servidor continúa aunque salga de esta página.',
  erased: 'Datos suprimidos',
  erasedHint:
    'Guarde el comprobante: demuestra la supresión y permite repetirla después de restaurar una copia de ' +
    'seguridad. La página Privacidad muestra y verifica todos los comprobantes.',
  returns:
    'Si la persona vuelve a escribir al bot, el servidor crea un usuario nuevo, sin los datos suprimidos.',
  download: 'Descargar comprobante',
  kinds: {
    addresses: 'Direcciones',
    recordings: 'Grabaciones de llamadas a modelos',
    traces: 'Trazas',
    deliveryAttempts: 'Intentos de entrega fallidos',
    deadLetters: 'Entregas fallidas',
    actionRuns: 'Ejecuciones de acciones',
    logs: 'Líneas de registro',
    observations: 'Trazas de flujos con sus textos y mediciones del código del bot',
    issueEvents: 'Eventos de incidencias',
    issues: 'Incidencias sin eventos de otras personas',
    modelCalls: 'Llamadas a modelos',
    notifications: 'Notificaciones de integraciones',
    webhookRequests: 'Solicitudes de webhook guardadas de la integración',
    storedResponses: 'Respuestas guardadas para solicitudes repetidas',
    rateCounters: 'Contadores de límites de uso',
    feedback: 'Valoraciones',
    notes: 'Notas',
    handoffs: 'Traspasos',
    broadcasts: 'Destinatarios de difusiones',
    optOuts: 'Bajas de difusiones',
    scheduledMessages: 'Mensajes programados',
    states: 'Estados',
    workflows: 'Procesos (workflows)',
    files: 'Archivos',
    tableRows: 'Filas de tablas',
    signals: 'Indicadores de escritura y similares en chats',
    events: 'Eventos',
    messages: 'Mensajes',
    conversations: 'Conversaciones sin otras personas',
    users: 'Usuarios',
  },
}
