import type { installation as English } from '../en/installation.ts'
import { amount, thousands } from './amount.ts'

export const installation: typeof English = {
  title: 'Instalación',
  servers: 'Servidores',
  server: 'Servidor',
  process: (pid, id) => `proceso ${pid}, ${id}`,
  started: 'Inicio',
  state: 'Estado',
  stateHint:
    'Cada servidor informa cada pocos segundos. Si uno se detiene, los demás se encargan de sus ' +
    'conversaciones y tareas.',
  alive: 'En marcha',
  dead: 'No responde',
  queue: 'Cola',
  pending: 'Entregas pendientes',
  lanes: 'Conversaciones en proceso',
  oldest: 'Entrega más antigua',
  seconds: (seconds) => `${Math.round(seconds)} s`,
  deadLetters: 'Entregas fallidas',
  database: 'Base de datos',
  size: 'Tamaño',
  table: 'Tabla',
  rows: 'Filas (estimación)',
  allTables: (count) => `Mostrar las ${thousands(count)} tablas`,
  notCounted: 'aún sin contar',
  megabytes: (bytes) => {
    const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
    return `${(bytes / 1_000_000).toLocaleString('es', digits)}\u00a0MB`
  },
  checks: 'Comprobaciones',
  runChecks: 'Ejecutar las comprobaciones',
  checksHint:
    'Las mismas comprobaciones que el comando `botstead doctor`. Tardan unos segundos.',
  passed: (count) => amount(count, 'comprobación superada', 'comprobaciones superadas'),
  states: { bad: 'Error', advice: 'Consejo' },
  settings: 'Ajustes',
  settingsHint:
    'Variables de entorno del servidor. Aquí son de solo lectura: para cambiar una, detenga el servidor, ' +
    'defina la variable (por ejemplo, `BOTSTEAD_PORT=8080 npm start`) e inícielo de nuevo. Los ajustes ' +
    'que puede cambiar en el navegador están en la página «Ajustes del servidor».',
  searchSettings: 'Buscar ajustes',
  noSetting: 'Ningún ajuste contiene estas palabras.',
  groups: {
    server: 'Servidor y direcciones',
    storage: 'Datos y copias de seguridad',
    security: 'Inicio de sesión y claves',
    retention: 'Conservación',
    code: 'Código alojado',
    models: 'Modelos',
    limits: 'Límites',
  },
  notSet: 'sin definir',
  unlimited: 'sin límite',
  on: 'activado',
  off: 'desactivado',
  days: (days) => amount(days, 'día'),
  hours: (hours) => amount(hours, 'hora'),
  perSecond: (count) => `${count} por segundo`,
  perMinute: (count) => `${count} por minuto`,
  characters: (count) => `${count} caracteres`,
}
