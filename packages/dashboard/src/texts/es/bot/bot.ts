import type { bot as English } from '../../en/bot/bot.ts'
import { amount, thousands } from '../amount.ts'

export const bot: typeof English = {
  range: 'Periodo',
  newUsers: 'Usuarios nuevos',
  returning: (count) => `${amount(count, 'recurrente')}. No se cuentan los miembros`,
  sessions: 'Sesiones',
  sessionsHint: 'También se cuentan las de los miembros',
  messages: 'Mensajes',
  split: (user, bot) =>
    `Recibidos: ${thousands(user)}; enviados: ${thousands(bot)}. También se cuentan los de los miembros`,
  failures: 'Fallos',
  failuresHint:
    'Eventos y mensajes de este periodo que fallaron y no se han vuelto a entregar',
  cost: 'Gasto en modelos',
  calls: (count) => `${amount(count, 'llamada')}, en dólares (US$)`,
  perDay: 'Mensajes por día',
  received: 'Recibidos',
  sent: 'Enviados',
  noMessages: 'No hay mensajes en este periodo',
  issues: 'Incidencias abiertas',
  noIssues: 'No hay incidencias abiertas',
  occurrences: (count) => amount(count, 'vez', 'veces'),
  deployment: 'Despliegue',
  deployedAt: 'Desplegado',
  loadError: 'El código no se carga',
  notDeployed: 'Este bot aún no tiene código',
  notDeployedHint: (page) => `Despliegue archivos o una versión en la página ${page}.`,
  notDeployedViewer: (page) =>
    `Un miembro que pueda modificar el bot lo despliega en la página ${page}.`,
  atUrl: 'Este bot se ejecuta en una URL.',
  allIssues: 'Todas las incidencias',
  allVersions: 'Todas las versiones',
  deployments: 'Despliegues',
  noVersions: 'Aún no hay versiones',
  isRunning: 'en uso',
  handoffs: {
    title: 'Traspasos',
    inbox: 'Bandeja de entrada',
    firstAnswer: 'Hasta la primera respuesta de una persona',
    solution: 'Hasta la solución',
    return: 'Hasta que continuó el bot',
    none: 'ninguno',
    within: (duration, count) =>
      `Mediana de ${thousands(count)}; el 95 % en ${duration} o menos`,
  },
}
