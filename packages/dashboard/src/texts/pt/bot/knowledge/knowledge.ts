import type { File } from '@botstead/contract'
import type { knowledge as English } from '../../../en/bot/knowledge/knowledge.ts'
import { amount, decimal, thousands } from '../../amount.ts'

const files = (count: number) => amount(count, 'arquivo')
const pages = (count: number) => amount(count, 'página')
const passages = (count: number) => amount(count, 'trecho')
const words = (all: string[]) => all.map((word) => `“${word}”`).join(', ')
const maxCounted = 20_000

const statuses: Record<File['status'], string> = {
  upload_pending: 'Aguardando conteúdo',
  upload_failed: 'Falha no envio',
  upload_completed: 'Guardado, não pesquisável',
  indexing_pending: 'Em indexação',
  indexing_failed: 'Falha na indexação',
  indexing_completed: 'Pesquisável',
}
/** After a number of files. */
const counted: Record<File['status'], [one: string, many: string]> = {
  upload_pending: ['aguardando conteúdo', 'aguardando conteúdo'],
  upload_failed: ['com falha no envio', 'com falha no envio'],
  upload_completed: ['guardado, não pesquisável', 'guardados, não pesquisáveis'],
  indexing_pending: ['em indexação', 'em indexação'],
  indexing_failed: ['com falha na indexação', 'com falha na indexação'],
  indexing_completed: ['pesquisável', 'pesquisáveis'],
}
const minScoreOwners = { base: ' da base de conhecimento', card: ' do cartão', usual: '' }

export const knowledge: typeof English = {
  title: 'Conhecimento',
  files: 'Arquivos',
  pages: 'Páginas de conhecimento',
  documents: 'Documentos',
  addFiles: 'Adicionar arquivos',
  search: 'Testar uma pergunta',
  drop: 'Solte arquivos ou pastas em qualquer lugar desta página.',
  empty: 'Dê ao bot algo para ler',
  emptyTitleReader: 'Nenhum documento',
  emptyHint:
    'Adicione documentos: PDF, Word, Excel, PowerPoint, OpenDocument, HTML, e-mails, texto ou ' +
    'CSV. O servidor lê cada um e o divide em trechos. O bot responde a partir dos trechos que ' +
    'combinam com a pergunta. Depois, teste uma pergunta aqui ou converse com o bot.',
  emptyReader: 'Ninguém adicionou documentos ainda.',
  noMatch: 'Nenhum arquivo encontrado',
  noMatchHint: 'Altere ou limpe os filtros.',
  emptyBase: 'Esta base de conhecimento está vazia',
  otherFiles: 'Incluir arquivos fora do conhecimento',
  name: 'Nome',
  nameHint: 'Por exemplo: tabela de preços',
  base: 'Base de conhecimento',
  noBase: 'nenhuma',
  status: 'Status',
  size: 'Tamanho',
  noSize: 'desconhecido',
  added: 'Inclusão',
  changed: 'Alteração',
  any: 'Todas',
  actions: 'Ações',
  delete: 'Excluir arquivo',
  deleteOne: (name: string) => `Excluir ${name}`,
  deleteText: 'O bot não encontra mais os trechos dele. Não é possível desfazer.',
  deleted: 'O arquivo foi excluído',
  indexAgain: 'Indexar de novo',
  indexing: 'O servidor está lendo o arquivo de novo',
  download: 'Baixar',
  counts: (status: File['status'], count: number) => {
    const number = count >= maxCounted ? `${thousands(maxCounted)}+` : thousands(count)
    return `${number} ${counted[status][count === 1 ? 0 : 1]}`
  },
  statuses,
  meaning: {
    progress: (embedded: number, all: number) =>
      `O servidor está preparando a busca por significado: ${thousands(embedded)} de ` +
      `${passages(all)}. O bot já encontra os outros, mas só se a pergunta tiver palavras deles.`,
    complete: (all: number) =>
      all === 1
        ? 'A busca encontra o trecho por palavras e por significado.'
        : `A busca encontra todos os ${passages(all)} por palavras e por significado.`,
    partly: (embedded: number, all: number) =>
      `A busca encontra ${thousands(embedded)} de ${passages(all)} por palavras e por ` +
      'significado, os outros só por palavras: o modelo não conhece o idioma deles.',
    unavailable: (model: string) =>
      `A busca só encontra trechos por palavras: o modelo “${model}” está falhando. O ` +
      'servidor tenta de novo a cada poucos segundos.',
    disabled: 'A busca só encontra trechos por palavras.',
    notInstalled:
      'A busca só encontra trechos por palavras, porque os pacotes do modelo incluído não ' +
      'estão instalados.',
    about: 'Busca por significado',
  },
  samples: {
    title: (count: number, hasOthers: boolean) =>
      `O bot responde ${hasOthers ? 'também ' : ''}a partir de ` +
      amount(count, 'documento de exemplo', 'documentos de exemplo'),
    ask: (subjects: string) =>
      `Clique em “Testar o bot” e pergunte, por exemplo, sobre: ${subjects}.`,
    text: (count: number) =>
      count === 1
        ? 'Ele veio com o exemplo. Exclua-o quando adicionar seus próprios documentos.'
        : 'Eles vieram com o exemplo. Exclua-os quando adicionar seus próprios documentos.',
    delete: 'Excluir os exemplos',
    deleteTitle: 'Excluir os documentos de exemplo',
    deleted: (count: number) => `Arquivos excluídos: ${thousands(count)}`,
  },
  bases: {
    manage: 'Alterar a base de conhecimento',
    create: 'Nova base de conhecimento',
    created: 'A base de conhecimento foi criada',
    name: 'Nome',
    taken: 'Outra base de conhecimento tem este nome.',
    chooseFirst: 'Escolha primeiro uma base de conhecimento',
    rename: 'Renomear',
    renamed: 'A base de conhecimento foi renomeada',
    renameHint:
      'Os fluxos encontram uma base de conhecimento pelo nome. Depois de renomeá-la, altere o ' +
      'nome também nos fluxos.',
    minScore: 'Pontuação mínima',
    minScoreHint:
      'De 0 a 1: a chance mínima de um trecho responder à pergunta. Vazio: 0,35. Se o bot ' +
      'responde a perguntas que nenhum documento responde, aumente o valor; se deixa de ' +
      'responder, diminua.',
    minScoreOf: (name: string) => `Pontuação mínima de “${name}”`,
    minScoreEffect:
      'Isto altera a base de conhecimento: vale para todas as respostas, não só para a busca ' +
      'nesta página, e substitui a pontuação mínima dos cartões.',
    minScoreChanged: 'A pontuação mínima foi alterada',
    noMinScore: '0,35',
    delete: 'Excluir',
    deleteOne: (name: string) => `Excluir ${name}`,
    deleteText:
      'Exclui a base de conhecimento e todos os arquivos dela. Não é possível desfazer.',
    deleted: 'A base de conhecimento foi excluída',
    fallback: 'Documentos',
  },
  add: {
    title: 'Adicionar arquivos',
    chosen: files,
    none: 'Nenhum arquivo escolhido',
    hint:
      'Solte arquivos ou pastas aqui. Um arquivo com o mesmo nome é substituído se o conteúdo ' +
      'for outro; se não, é ignorado.',
    types:
      'Tipos pesquisáveis: PDF, Word (docx, rtf), Excel (xlsx), PowerPoint (pptx), OpenDocument ' +
      '(odt, ods, odp), EPUB, e-mail (eml), HTML, Markdown, CSV, TSV, JSON, YAML, XML e outros ' +
      'textos. Arquivos de outros tipos são apenas guardados.',
    start: 'Enviar',
    startReplacing: 'Enviar e substituir',
    readingFolders: 'Lendo as pastas…',
    replaces: (count: number) => `Substitui ${files(count)}:`,
    skips: (count: number) =>
      `Arquivos ignorados, com o mesmo conteúdo: ${thousands(count)}.`,
  },
  upload: {
    title: 'Envio',
    running: (done: number, total: number) => `${thousands(done)} de ${files(total)}`,
    waiting: 'O servidor não responde. O envio continua assim que ele responder.',
    done: (uploaded: number) => `Arquivos enviados: ${thousands(uploaded)}`,
    replaced: (count: number) => `substituídos: ${thousands(count)}`,
    skipped: (count: number) => `já estavam aqui: ${thousands(count)}`,
    failed: (count: number) => `com falha: ${thousands(count)}`,
    progress: 'Progresso do envio',
    progressOf: (name: string) => `Progresso de ${name}`,
    retry: 'Tentar de novo os que falharam',
    stop: 'Parar',
    close: 'Fechar',
    more: (count: number) => `e mais ${thousands(count)}`,
    resume:
      'Para continuar, escolha de novo os mesmos arquivos ou a mesma pasta. Os arquivos que já ' +
      'estão aqui são ignorados.',
  },
  file: {
    title: 'Arquivo',
    document: 'Documento',
    passages: 'Trechos como o bot os lê',
    kinds: {
      title: 'título',
      subtitle: 'subtítulo',
      paragraph: 'parágrafo',
      blockquote: 'citação',
      list: 'lista',
      table: 'tabela',
      code: 'código',
      image: 'imagem',
      page: 'página',
    },
    noPassages: 'Nenhum trecho',
    passageHints: {
      upload_pending: 'O conteúdo não chegou. Envie o arquivo de novo.',
      upload_failed: 'O conteúdo não chegou. Envie o arquivo de novo.',
      upload_completed:
        'Este arquivo está guardado, mas não é pesquisável. Indexe-o para torná-lo pesquisável.',
      indexing_pending: 'O servidor está lendo o arquivo. Os trechos aparecem aqui.',
      indexing_failed: 'O servidor não conseguiu ler o arquivo.',
      indexing_completed: 'O arquivo não contém texto.',
    },
    page: (page: number) => `página ${page}`,
    noPreview:
      'O navegador não consegue mostrar este tipo aqui. Baixe o arquivo para lê-lo.',
    readText:
      'O navegador não consegue mostrar este tipo aqui. Este é o texto que o servidor leu dele, ' +
      'na ordem dos trechos.',
    more: 'Carregar mais do texto',
    beginning: 'Só o começo aparece aqui.',
    webPage: 'Página da web',
  },
  websites: {
    title: 'Sites',
    page: 'Site',
    add: 'Adicionar site',
    adding: 'Adicionar',
    added: 'O servidor está lendo o site',
    hint:
      'O servidor lê uma página ou todas as páginas de um sitemap. Ele respeita o robots.txt e ' +
      'relê as páginas conforme a agenda: páginas alteradas são substituídas, e as excluídas, ' +
      'removidas.',
    empty: 'Nenhum site ainda',
    emptyHint:
      'Adicione o endereço de uma página ou de um sitemap. O bot responde a partir das páginas.',
    emptyReader: 'Ninguém adicionou um site ainda.',
    url: 'Endereço',
    urlHint: 'A maioria dos sites tem o sitemap em /sitemap.xml.',
    type: 'Ler',
    types: { page: 'Esta página', sitemap: 'Todas as páginas deste sitemap' },
    schedule: 'Ler de novo',
    schedules: {
      off: 'Nunca',
      daily: 'Todo dia',
      weekly: 'Toda semana',
      monthly: 'Todo mês',
    },
    maxPages: 'No máximo (páginas)',
    status: 'Status',
    statuses: {
      pending: 'Aguardando',
      fetching: 'Em leitura',
      completed: 'Lido',
      failed: 'Falhou',
    },
    progress: ({ total, done, failed }, isRunning: boolean) => {
      const read = isRunning ? `${thousands(done)} de ${pages(total)}` : pages(total)
      return failed > 0 ? `${read}, ${amount(failed, 'não lida', 'não lidas')}` : read
    },
    last: 'Última leitura',
    next: 'Próxima',
    refresh: 'Ler de novo agora',
    change: (url: string) => `Ler de novo: ${url}`,
    changed: 'A agenda foi alterada',
    edit: 'Alterar o endereço',
    edited: 'O endereço foi alterado. O servidor está lendo o site',
    editText:
      'As páginas do endereço anterior são removidas quando o servidor termina de ler o novo.',
    delete: 'Excluir site',
    deleteOne: (url: string) => `Excluir ${url}`,
    deleteText: 'O bot não encontra mais as páginas dele. Não é possível desfazer.',
    deleted: 'O site foi excluído',
    pages: 'Páginas',
    noPages: 'Nenhuma página',
    noPagesHint: 'As páginas aparecem aqui enquanto o servidor as lê.',
    checked: 'Verificação',
    file: 'Trechos',
    pageStatuses: {
      pending: 'Aguardando',
      fetched: 'Lida',
      unchanged: 'Inalterada',
      blocked: 'Não permitida pelo robots.txt',
      failed: 'Falhou',
      gone: 'Excluída',
    },
  },
  query: {
    title: 'Testar uma pergunta',
    question: 'Pergunta',
    placeholder: 'Como faço uma devolução?',
    all: 'Todos os arquivos',
    submit: 'Buscar',
    hint: 'Veja quais trechos o bot encontra para uma pergunta, e por quê.',
    results: 'Trechos',
    score: 'Pontuação',
    wordScore: 'Palavras',
    vectorScore: 'Significado',
    mergedScore: 'Palavras e significado',
    rerankScore: 'Lido por um modelo',
    low: (minScore: number, owner: 'base' | 'card' | 'usual') =>
      `Abaixo da pontuação mínima${minScoreOwners[owner]}, ${decimal(minScore)}: não usado`,
    lowHint:
      'Vale a pontuação mínima da base de conhecimento. Se ela não tem uma, vale `minScore` do ' +
      'cartão, se houver.',
    inWords: ({ matched, vectorScore, minScore }) => {
      const found =
        matched.length > 0
          ? `Palavras em comum: ${matched.join(', ')}`
          : 'Nenhuma palavra em comum'
      const meaning =
        vectorScore === undefined
          ? ''
          : `; significado ${decimal(vectorScore.toFixed(2))}`
      return `${found}${meaning}; precisa de ${decimal(minScore)}.`
    },
    minScore: (minScore: string) => `Alterar a pontuação mínima (${decimal(minScore)})`,
    minScoreOf: (name: string, minScore: string) =>
      `Alterar a pontuação mínima (${decimal(minScore)}) de “${name}”`,
    verdict: {
      title: 'O que o bot faz',
      answers: 'O bot responde com:',
      chooses:
        'O bot pergunta qual destas a pessoa quer dizer e responde com a que ela escolher:',
      source: (name: string) => `Fonte: ${name}`,
      model: (count: number) =>
        `O bot entrega ${passages(count)} ao modelo de linguagem, que escreve a resposta.`,
      low: (score: string, minScore: number) =>
        `O bot não responde: o melhor trecho tem ${decimal(score)} e precisa de ` +
        `${decimal(minScore)}.`,
      lacking:
        'O bot não responde: a pergunta pede um número, um horário ou um preço, que falta no ' +
        'melhor trecho.',
      nothing: 'O bot não responde: não encontra nenhum trecho.',
    },
    cardLimits: (limit: string | undefined, minScore: string | undefined) => {
      const most = limit && (limit === '1' ? '1 trecho' : `${limit} trechos`)
      const parts = [
        most && `no máximo ${most}`,
        minScore && `pontuação mínima ${decimal(minScore)}`,
      ]
      const limits = `Limites do cartão que buscou: ${parts.filter(Boolean).join(', ')}.`
      return minScore
        ? `${limits} Se uma base de conhecimento tem sua própria pontuação mínima, vale a da base.`
        : limits
    },
    clearLimits: 'Buscar sem estes limites',
    why: 'Por que estes trechos',
    matched: (all: string[]) => `Palavras encontradas: ${words(all)}.`,
    missing: (all: string[]) => `Nenhum trecho contém ${words(all)}.`,
    replaced: (word: string, by: string[]) =>
      by.length > 0
        ? `Buscado no lugar de “${word}”: ${words(by)}.`
        : `Nenhum trecho contém “${word}”; a busca usou palavras de grafia parecida.`,
    wordsOnly: 'A busca compara palavras. Com embeddings, compara também o significado.',
    embeddings: 'Configurar embeddings',
    withVectors: 'A busca compara palavras e significado.',
    withReranking: 'Um modelo leu a pergunta com os melhores trechos e os ordenou.',
    nothing: 'Nada encontrado',
    noTerms: 'A pergunta não contém palavras para buscar, só palavras muito comuns.',
    noFiles: 'Não há arquivos para buscar. Adicione alguns primeiro.',
    noneReady: 'Nenhum arquivo é pesquisável ainda.',
    pending: (count: number) =>
      `Em leitura: ${files(count)}. Tente de novo em instantes.`,
    failed: (count: number) => `Não foi possível ler ${files(count)}.`,
    showFailed: 'Mostrar',
    elsewhere: 'Outra base de conhecimento tem um trecho para esta pergunta:',
    rephrase:
      'Use na pergunta palavras dos documentos, ou acrescente estas palavras ao documento que ' +
      'deve respondê-la.',
  },
}
