import type { settings as English } from '../../en/bot/settings.ts'

export const settings: typeof English = {
  title: 'Ajustes generales',
  general: 'General',
  name: 'Nombre',
  description: 'Descripción',
  maxExecutionTime: 'Tiempo máximo de un handler, en segundos',
  configuration: 'Configuración',
  noConfiguration: 'Este bot no define ninguna configuración.',
  bursts: {
    title: 'Mensajes seguidos',
    hint:
      'Varios mensajes cortos de una persona pueden formar un solo turno del bot, para que ' +
      'responda una vez.',
    seconds: 'Segundos de un mensaje al siguiente',
    secondsHint: 'De 0 a 10. Con 0, cada mensaje es un turno.',
    modes: {
      wait: 'El bot espera este tiempo y recibe todo junto',
      restart: 'El bot responde de inmediato y empieza de nuevo si la persona continúa',
    },
  },
  secrets: 'Secretos',
  secretsHint:
    'El código los lee como variables de entorno. Los valores se cifran y nunca se muestran.',
  noSecrets: 'No hay secretos',
  secretName: 'Nombre',
  secretExample: 'API_TOKEN',
  secretValue: 'Valor',
  setSecret: 'Definir secreto',
  removeSecret: (name) => `Quitar el secreto ${name}`,
  secretSet: (name) => `Secreto definido: ${name}`,
  secretRemoved: (name) => `Secreto quitado: ${name}`,
  keys: 'Claves de API',
  keysHint: 'Una clave permite hacerlo todo dentro de este bot.',
  noKeys: 'No hay claves de API',
  note: 'Nota',
  createKey: 'Crear clave',
  keyCreated: 'Copie la clave ahora. No se vuelve a mostrar.',
  revoke: 'Revocar',
  revokeKey: (note) => `¿Revocar la clave ${note}?`,
  revokeText: 'Los programas que la usan reciben 401 desde ahora.',
  signing: 'Secreto de firma',
  signingHint: 'El servidor firma con él sus llamadas a un bot en una URL.',
  rotate: 'Renovar',
  rotated:
    'Copie ahora el secreto nuevo. Los anteriores siguen siendo válidos durante 24 horas.',
  export: 'Exportar',
  exportHint:
    'Un documento con las definiciones, el código y la configuración del bot, sin secretos, claves ni ' +
    'configuraciones de integraciones. Con Crear bot > Archivos del bot se crea un bot nuevo a partir de él.',
  exportBot: 'Exportar bot',
  danger: 'Transferir y eliminar',
}
