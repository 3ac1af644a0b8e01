import type { copilot as English } from '../../../en/bot/studio/copilot.ts'
import { amount, thousands } from '../../amount.ts'

export const copilot: typeof English = {
  title: 'Copiloto',
  close: 'Fechar o copiloto',
  noModel: 'Não há modelo de linguagem para o copiloto',
  noModelHint:
    'Configure um em Configurações do servidor, em Modelo de linguagem, ou peça isso ao operador ' +
    'deste servidor.',
  toSettings: 'Configurações do servidor',
  request: 'O que o bot deve fazer?',
  requestHint: 'Descreva um novo bot, uma alteração ou uma pergunta sobre este.',
  send: 'Enviar',
  suggestions: 'Sugestões',
  explainFlow: 'Explicar este fluxo',
  writeTests: 'Escrever testes',
  whyFailed: 'Por que falhou?',
  explainRequest: (flow: string) => `Explique o fluxo ${flow} em poucas frases.`,
  testsRequest: (flow: string) => `Escreva testes para o fluxo ${flow}.`,
  failedRequest: 'Por que o bot respondeu errado nesta conversa: ',
  today: (dollars: string, maxDollars: string, tokens: number, maxTokens: number) =>
    `Hoje: ${dollars} de ${maxDollars}, ${thousands(tokens)} de ${amount(maxTokens, 'token')}`,
  cost: (dollars: string, tokens: number) => `${dollars}, ${amount(tokens, 'token')}`,
  states: {
    running: 'Trabalhando…',
    done: 'Concluído',
    stopped: 'Parado',
    failed: 'Falhou',
  },
  stop: 'Parar',
  steps: 'Passos',
  tools: {
    read_schema: 'Lê o formato',
    list_examples: 'Procura exemplos',
    read_example: 'Lê um exemplo',
    read_draft: 'Lê o rascunho',
    list_names: 'Procura nomes',
    edit_draft: 'Edita uma cópia',
    check_document: 'Verifica a cópia',
    run_tests: 'Executa os testes',
    read_trace: 'Lê uma conversa',
    verify: 'Verifica e testa o resultado',
  },
  changes: 'Alterações propostas:',
  passed: (count: number) =>
    count === 1
      ? 'A verificação não encontrou problemas; 1 teste passou.'
      : `A verificação não encontrou problemas; ${amount(count, 'teste')} passaram.`,
  apply: 'Aplicar',
  applied: 'As alterações estão no rascunho. Desfazer as retira.',
  nothingToApply: 'O rascunho já tem estas alterações',
  earlier: 'Pedidos anteriores',
}
