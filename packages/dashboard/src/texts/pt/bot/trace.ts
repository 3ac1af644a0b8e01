import type { trace as English } from '../../en/bot/trace.ts'
import { amount, decimal, thousands } from '../amount.ts'

export const trace: typeof English = {
  title: 'Rastro',
  none: 'Nenhum evento de um usuário causou esta mensagem.',
  event: 'Evento',
  statuses: {
    pending: 'pendente',
    processed: 'processado',
    ignored: 'ignorado',
    failed: 'falhou',
    scheduled: 'agendado',
    canceled: 'cancelado',
  },
  status: 'Status',
  run: (attempts: number, ms: number) =>
    attempts === 1 ? `Processado em ${ms} ms` : `A tentativa ${attempts} levou ${ms} ms`,
  pending: 'Ainda não processado',
  failedAttempts: 'Tentativas que falharam',
  attempt: (number: number) => `Tentativa ${number}`,
  attemptFailed: (number: number) => `A tentativa ${number} falhou`,
  earlier: 'Antes da reentrega',
  answeredBy: (number: number | undefined, name: string) =>
    `Processado pela versão ${number === undefined ? name : `nº ${number} ${name}`}`,
  levels: { debug: 'Depuração', info: 'Log', warn: 'Aviso', error: 'Erro' },
  innerFrames: (count: number) =>
    `${amount(count, 'chamada interna', 'chamadas internas')} do servidor e do Node`,
  hookFailed: 'Um hook falhou',
  codeFailed: 'O código falhou',
  timeline: 'Linha do tempo',
  timelineEmpty: 'O código não fez chamadas nem enviou mensagens.',
  kinds: {
    call: 'Chamada',
    change: 'Estado',
    action: 'Ação',
    model: 'Modelo',
    message: 'Envio',
    event: 'Evento',
  },
  failed: (status: number) => `falhou com ${status}`,
  change: (from: string, to: string) => `${from} → ${to}`,
  noValue: 'nada',
  cached: 'do cache',
  modelUse: ({ inputTokens, outputTokens, cost, cached }) =>
    `${inputTokens} + ${outputTokens} tokens, US$\u00a0${decimal(Number(cost.toPrecision(3)))}${
      cached ? ', do cache' : ''
    }`,
  steps: 'Passos',
  calls: 'Chamadas',
  models: 'Modelos',
  messages: 'Mensagens',
  events: 'Eventos',
  logs: 'Linhas de log',
  logsOf: (attempt: number) => `Linhas de log da tentativa ${attempt}`,
  errors: 'Erros',
  error: 'Erro',
  ms: (ms: number) => `${thousands(ms)} ms`,
  at: (at: number, ms?: number) =>
    ms === undefined
      ? `aos ${thousands(at)} ms`
      : `aos ${thousands(at)} ms, levou ${thousands(ms)} ms`,
  stepNames: {
    node: 'Nó',
    card: 'Cartão',
    hook: 'Hook',
    said: 'Envio',
    heard: 'Resposta',
    call: 'Chamada',
    model: 'Modelo',
    tool: 'Ferramenta',
    set: 'Variável',
    note: 'Nota',
  },
  json: 'Rastro em JSON',
  details: 'Detalhes para programadores',
  names: {
    message_created: 'Mensagem recebida',
    message_updated: 'Mensagem alterada',
    message_deleted: 'Mensagem excluída',
    conversation_started: 'Conversa iniciada',
    participant_added: 'Participante adicionado',
    state_expired: 'Estado expirado',
    child_workflow_finished: 'Parte de um fluxo de trabalho concluída',
  },
  answers: {
    captured: 'Aceita como resposta à pergunta',
    again: 'Não respondeu à pergunta. O bot perguntou de novo',
    failed: 'Não respondeu à pergunta. O fluxo continuou',
    cancelled: 'O usuário cancelou',
  },
  curatedAnswer: 'Enviada: sua resposta a',
  found: 'Trechos encontrados',
  explainSearch: 'Explicar esta busca',
  noPassages: 'Nenhum trecho encontrado.',
  nonePassed: (score: string, minScore: number) =>
    'Nenhum trecho atingiu a pontuação mínima da sua base de conhecimento. O melhor tem a ' +
    `pontuação ${decimal(score)}; o mínimo é ${decimal(minScore)}.`,
  passage: (
    name: string,
    page: number | undefined,
    score: string,
    minScore: number | null,
  ) =>
    `${name}${page === undefined ? '' : `, página ${page}`} (pontuação ${decimal(score)}${
      minScore === null ? '' : `, abaixo do mínimo ${decimal(minScore)}: não usado`
    })`,
  left: (count: number) =>
    `mais ${count === 1 ? '1 passo' : `${thousands(count)} passos`}`,
}
