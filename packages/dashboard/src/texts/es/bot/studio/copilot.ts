import type { copilot as English } from '../../../en/bot/studio/copilot.ts'
import { amount, thousands } from '../../amount.ts'

export const copilot: typeof English = {
  title: 'Copiloto',
  close: 'Cerrar el copiloto',
  noModel: 'No hay ningún modelo de lenguaje para el copiloto',
  noModelHint:
    'Configure uno en Ajustes del servidor, en Modelo de lenguaje, o pídaselo al operador de este ' +
    'servidor.',
  toSettings: 'Ajustes del servidor',
  request: '¿Qué debe hacer el bot?',
  requestHint: 'Describa un bot nuevo, un cambio o una pregunta sobre este bot.',
  send: 'Enviar',
  suggestions: 'Sugerencias',
  explainFlow: 'Explicar este flujo',
  writeTests: 'Escribir pruebas',
  whyFailed: '¿Por qué falló?',
  explainRequest: (flow) => `Explique el flujo ${flow} en pocas frases.`,
  testsRequest: (flow) => `Escriba pruebas para el flujo ${flow}.`,
  failedRequest: 'Explique por qué el bot respondió mal en esta conversación: ',
  today: (dollars, maxDollars, tokens, maxTokens) =>
    `Hoy: ${dollars} de ${maxDollars}, ${thousands(tokens)} de ${thousands(maxTokens)} tokens`,
  cost: (dollars, tokens) => `${dollars}, ${amount(tokens, 'token')}`,
  states: { running: 'Trabajando…', done: 'Listo', stopped: 'Detenido', failed: 'Error' },
  stop: 'Detener',
  steps: 'Pasos',
  tools: {
    read_schema: 'Lee el formato',
    list_examples: 'Busca ejemplos',
    read_example: 'Lee un ejemplo',
    read_draft: 'Lee el borrador',
    list_names: 'Busca nombres',
    edit_draft: 'Edita una copia',
    check_document: 'Comprueba la copia',
    run_tests: 'Ejecuta las pruebas',
    read_trace: 'Lee una conversación',
    verify: 'Comprueba y prueba el resultado',
  },
  changes: 'Cambiaría:',
  passed: (count) =>
    `La comprobación no encuentra problemas; ${amount(count, 'prueba superada', 'pruebas superadas')}.`,
  apply: 'Aplicar',
  applied: 'Los cambios están en el borrador. Con Deshacer se retiran.',
  nothingToApply: 'El borrador ya tiene estos cambios',
  earlier: 'Solicitudes anteriores',
}
