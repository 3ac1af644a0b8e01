import type { File } from '@botstead/contract'
import type { knowledge as English } from '../../../en/bot/knowledge/knowledge.ts'
import { amount, thousands } from '../../amount.ts'

const files = (count: number) => amount(count, '個のファイル')
const pages = (count: number) => amount(count, 'ページ')
const words = (all: string[]) => all.map((word) => `「${word}」`).join('')
const maxCounted = 20_000

const statuses: Record<File['status'], string> = {
  upload_pending: '内容を待機中',
  upload_failed: 'アップロード失敗',
  upload_completed: '保存のみ（検索不可）',
  indexing_pending: 'インデックス作成中',
  indexing_failed: 'インデックス作成失敗',
  indexing_completed: '検索可能',
}

interface InWords {
  matched: string[]
  vectorScore?: number | undefined
  minScore: number
}
const minScoreOwners = { base: 'ナレッジベースの', card: 'カードの', usual: '' }

export const knowledge: typeof English = {
  title: 'ナレッジ',
  files: 'ファイル',
  pages: 'ナレッジのページ',
  documents: 'ドキュメント',
  addFiles: 'ファイルを追加',
  search: '質問を試す',
  drop: 'このページのどこにでも、ファイルやフォルダーをドロップできます。',
  empty: 'ボットに読ませるドキュメントを追加しましょう',
  emptyTitleReader: 'ドキュメントはありません',
  emptyHint:
    'PDF、Word、Excel、PowerPoint、OpenDocument、HTML、メール、テキスト、CSVなどのドキュメントを追加してください。' +
    'サーバーが内容を読み取って短い抜粋に分け、ボットは質問に合う抜粋をもとに答えます。追加したら、ここで質問を試すか、' +
    'ボットと話してみてください。',
  emptyReader: 'まだドキュメントが追加されていません。',
  noMatch: '一致するファイルはありません',
  noMatchHint: 'フィルターを変更または解除してください。',
  emptyBase: 'このナレッジベースは空です',
  otherFiles: 'ナレッジ以外のファイルも表示',
  name: '名前',
  nameHint: '例: 価格表',
  base: 'ナレッジベース',
  noBase: 'なし',
  status: '状態',
  size: 'サイズ',
  noSize: '不明',
  added: '追加日時',
  changed: '変更日時',
  any: 'すべて',
  actions: '操作',
  delete: 'ファイルを削除',
  deleteOne: (name: string) => `「${name}」を削除`,
  deleteText: 'ボットはこのファイルの抜粋を使えなくなります。元に戻せません。',
  deleted: 'ファイルを削除しました',
  indexAgain: 'インデックスを再作成',
  indexing: 'サーバーがファイルを読み直しています',
  download: 'ダウンロード',
  counts: (status: File['status'], count: number) => {
    const counted = count >= maxCounted ? `${thousands(maxCounted)}+` : thousands(count)
    return `${statuses[status]}: ${counted}`
  },
  statuses,
  meaning: {
    progress: (embedded: number, passages: number) =>
      `サーバーが意味による検索を準備しています（抜粋${amount(passages)}中${amount(embedded)}が完了）。残りの抜粋も、` +
      '質問と同じ言葉があれば見つかります。',
    complete: (passages: number) =>
      `質問に合う抜粋を、言葉と意味の両方で検索します（全${amount(passages)}）。`,
    partly: (embedded: number, passages: number) =>
      `抜粋${amount(passages)}中${amount(embedded)}を、言葉と意味の両方で検索します。残りは言語がモデルに対応して` +
      'いないため、言葉だけで検索します。',
    unavailable: (model: string) =>
      `モデル「${model}」が失敗しているため、言葉だけで検索します。サーバーは数秒ごとに再試行します。`,
    disabled: '抜粋を言葉だけで検索します。',
    notInstalled:
      '付属のモデルのパッケージがインストールされていないため、抜粋を言葉だけで検索します。',
    about: '意味による検索',
  },
  samples: {
    title: (count: number, hasOthers: boolean) =>
      `ボットはサンプルドキュメント${amount(count)}${hasOthers ? 'も' : 'を'}使って答えます`,
    ask: (subjects: string) =>
      `「ボットを試す」をクリックして、たとえば次のことを尋ねてみてください: ${subjects}。`,
    text: () =>
      'サンプルボットに付属のドキュメントです。自分のドキュメントを追加したら削除してください。',
    delete: 'サンプルを削除',
    deleteTitle: 'サンプルドキュメントを削除',
    deleted: (count: number) => `${files(count)}を削除しました`,
  },
  bases: {
    manage: 'ナレッジベースを変更',
    create: '新しいナレッジベース',
    created: 'ナレッジベースを作成しました',
    name: '名前',
    taken: 'この名前はほかのナレッジベースで使われています。',
    chooseFirst: '先にナレッジベースを選択してください',
    rename: '名前を変更',
    renamed: 'ナレッジベースの名前を変更しました',
    renameHint:
      'フローはナレッジベースを名前で探します。名前を変更したら、フローの中の名前も変更してください。',
    minScore: '最低スコア',
    minScoreHint:
      '0〜1。抜粋が質問の答えになる確からしさです。空欄の場合は0.35です。どのドキュメントにも答えがない質問にボットが' +
      '答えてしまう場合は大きく、答えられるはずの質問に答えない場合は小さくしてください。',
    minScoreOf: (name: string) => `「${name}」の最低スコア`,
    minScoreEffect:
      'ナレッジベースを変更します。このページの検索だけでなく、すべての回答に適用され、カードの最低スコアより優先されます。',
    minScoreChanged: '最低スコアを変更しました',
    noMinScore: '0.35',
    delete: '削除',
    deleteOne: (name: string) => `「${name}」を削除`,
    deleteText: 'ナレッジベースとそのすべてのファイルを削除します。元に戻せません。',
    deleted: 'ナレッジベースを削除しました',
    fallback: 'ドキュメント',
  },
  add: {
    title: 'ファイルを追加',
    chosen: files,
    none: 'ファイルが選択されていません',
    hint:
      'ファイルまたはフォルダーをここにドロップしてください。同じ名前のファイルは、内容が違えば置き換え、同じならスキップ' +
      'します。',
    types:
      '検索できる形式: PDF、Word（docx、rtf）、Excel（xlsx）、PowerPoint（pptx）、OpenDocument（odt、ods、odp）、' +
      'EPUB、メール（eml）、HTML、Markdown、CSV、TSV、JSON、YAML、XML、その他のテキスト。それ以外の形式は保存のみ' +
      'です。',
    start: 'アップロード',
    startReplacing: 'アップロードして置き換え',
    readingFolders: 'フォルダーを読み込み中…',
    replaces: (count: number) => `${files(count)}を置き換えます:`,
    skips: (count: number) => `内容が同じ${files(count)}をスキップします。`,
  },
  upload: {
    title: 'アップロード',
    running: (done: number, total: number) => `${files(total)}中${thousands(done)}個`,
    waiting: 'サーバーに接続できません。サーバーが応答すると、アップロードを再開します。',
    done: (uploaded: number) => `${files(uploaded)}をアップロードしました`,
    replaced: (count: number) => `置き換え${amount(count, '個')}`,
    skipped: (count: number) => `追加済み${amount(count, '個')}`,
    failed: (count: number) => `失敗${amount(count, '個')}`,
    progress: 'アップロードの進行状況',
    progressOf: (name: string) => `「${name}」の進行状況`,
    retry: '失敗したものを再試行',
    stop: '停止',
    close: '閉じる',
    more: (count: number) => `ほか${amount(count, '個')}`,
    resume:
      '続けるには、同じファイルまたはフォルダーをもう一度選択してください。追加済みのファイルはスキップします。',
  },
  file: {
    title: 'ファイル',
    document: 'ドキュメント',
    passages: 'ボットが読む抜粋',
    kinds: {
      title: '見出し',
      subtitle: '小見出し',
      paragraph: '段落',
      blockquote: '引用',
      list: 'リスト',
      table: '表',
      code: 'コード',
      image: '画像',
      page: 'ページ',
    },
    noPassages: '抜粋はありません',
    passageHints: {
      upload_pending:
        '内容が届いていません。ファイルをもう一度アップロードしてください。',
      upload_failed: '内容が届いていません。ファイルをもう一度アップロードしてください。',
      upload_completed:
        'このファイルは保存されていますが、検索できません。検索するには、インデックスを作成してください。',
      indexing_pending:
        'サーバーがファイルを読み取っています。抜粋はここに表示されます。',
      indexing_failed: 'サーバーがファイルを読み取れませんでした。',
      indexing_completed: 'このファイルにテキストはありません。',
    },
    page: (page: number) => `${page}ページ`,
    noPreview: 'この形式はブラウザーで表示できません。ダウンロードして読んでください。',
    readText:
      'この形式はブラウザーで表示できません。サーバーが読み取ったテキストを、抜粋の順に表示しています。',
    more: '続きを読み込む',
    beginning: '先頭部分のみ表示しています。',
    webPage: 'Webページ',
  },
  websites: {
    title: 'Webサイト',
    page: 'Webサイト',
    add: 'Webサイトを追加',
    adding: '追加',
    added: 'サーバーがWebサイトを読み取っています',
    hint:
      'サーバーは1つのページ、またはサイトマップのすべてのページを読み取ります。robots.txtに従い、スケジュールどおりに' +
      '読み直します。変更されたページは置き換え、なくなったページは削除します。',
    empty: 'Webサイトはまだありません',
    emptyHint:
      'ページまたはサイトマップのアドレスを追加してください。ボットがその内容をもとに答えます。',
    emptyReader: 'まだWebサイトが追加されていません。',
    url: 'アドレス',
    urlHint: '多くのWebサイトでは、サイトマップは/sitemap.xmlにあります。',
    type: '読み取る範囲',
    types: { page: 'このページのみ', sitemap: 'サイトマップのすべてのページ' },
    schedule: '読み直し',
    schedules: { off: 'しない', daily: '毎日', weekly: '毎週', monthly: '毎月' },
    maxPages: '最大ページ数',
    status: '状態',
    statuses: {
      pending: '待機中',
      fetching: '読み取り中',
      completed: '読み取り済み',
      failed: '失敗',
    },
    progress: ({ total, done, failed }, isRunning: boolean) => {
      const read = isRunning ? `${pages(total)}中${pages(done)}` : pages(total)
      return failed > 0 ? `${read}、失敗${pages(failed)}` : read
    },
    last: '最終読み取り',
    next: '次回',
    refresh: '今すぐ読み直す',
    change: (url: string) => `読み直し: ${url}`,
    changed: 'スケジュールを変更しました',
    edit: 'アドレスを変更',
    edited: 'アドレスを変更しました。サーバーがWebサイトを読み取っています',
    editText:
      '新しいアドレスの読み取りが終わると、以前のアドレスのページは削除されます。',
    delete: 'Webサイトを削除',
    deleteOne: (url: string) => `${url}を削除`,
    deleteText: 'ボットはこのWebサイトのページを使えなくなります。元に戻せません。',
    deleted: 'Webサイトを削除しました',
    pages: 'ページ',
    noPages: 'ページはありません',
    noPagesHint: 'サーバーが読み取ったページがここに表示されます。',
    checked: '確認日時',
    file: '抜粋',
    pageStatuses: {
      pending: '待機中',
      fetched: '読み取り済み',
      unchanged: '変更なし',
      blocked: 'robots.txtにより不可',
      failed: '失敗',
      gone: '削除済み',
    },
  },
  query: {
    title: '質問を試す',
    question: '質問',
    placeholder: '返品するにはどうすればいいですか？',
    all: 'すべてのファイル',
    submit: '検索',
    hint: 'ボットが質問に対して見つける抜粋と、その理由を確認できます。',
    results: '抜粋',
    score: 'スコア',
    wordScore: '言葉',
    vectorScore: '意味',
    mergedScore: '言葉と意味',
    rerankScore: 'モデルによる評価',
    low: (minScore: number, owner: 'base' | 'card' | 'usual') =>
      `${minScoreOwners[owner]}最低スコア${minScore}未満のため不使用`,
    lowHint:
      'ナレッジベースの最低スコアが優先されます。ない場合は、カードの`minScore`（あれば）を使います。',
    inWords: ({ matched, vectorScore, minScore }: InWords) => {
      const found =
        matched.length > 0 ? `一致: ${matched.join('、')}` : '一致した言葉なし'
      const meaning = vectorScore === undefined ? '' : `、意味${vectorScore.toFixed(2)}`
      return `${found}${meaning}（${minScore}以上が必要）。`
    },
    minScore: (minScore: string) => `最低スコアを変更（${minScore}）`,
    minScoreOf: (name: string, minScore: string) =>
      `「${name}」の最低スコアを変更（${minScore}）`,
    verdict: {
      title: 'ボットの対応',
      answers: 'ボットの回答:',
      chooses: 'ボットは次のどれについての質問かを尋ね、選ばれたもので答えます:',
      source: (name: string) => `出典: ${name}`,
      model: (passages: number) =>
        `ボットは抜粋${amount(passages)}を言語モデルに渡し、モデルが回答を書きます。`,
      low: (score: string, minScore: number) =>
        `ボットは答えません。最も近い抜粋のスコアは${score}で、${minScore}以上が必要です。`,
      lacking:
        'ボットは答えません。質問で尋ねている数、時刻、または価格が、最も近い抜粋にありません。',
      nothing: 'ボットは答えません。抜粋が見つかりません。',
    },
    cardLimits: (limit: string | undefined, minScore: string | undefined) => {
      const parts = [limit && `抜粋は最大${limit}件`, minScore && `最低スコア${minScore}`]
      const limits = `検索したカードの制限: ${parts.filter(Boolean).join('、')}。`
      return minScore
        ? `${limits}ナレッジベースに最低スコアがある場合は、そちらが優先されます。`
        : limits
    },
    clearLimits: '制限なしで検索',
    why: 'この抜粋になった理由',
    matched: (all: string[]) => `見つかった言葉: ${words(all)}。`,
    missing: (all: string[]) => `どの抜粋にもない言葉: ${words(all)}。`,
    replaced: (word: string, by: string[]) =>
      by.length > 0
        ? `「${word}」の代わりに${words(by)}を検索しました。`
        : `「${word}」はどの抜粋にもないため、つづりの近い言葉を検索しました。`,
    wordsOnly: '言葉だけで検索しています。埋め込みモデルを使うと、意味でも検索できます。',
    embeddings: '埋め込みモデルを設定',
    withVectors: '言葉と意味で検索しています。',
    withReranking: 'モデルが質問と上位の抜粋を読み、並べ替えました。',
    nothing: '何も見つかりませんでした',
    noTerms: '質問に検索できる言葉がありません。ごく一般的な言葉だけです。',
    noFiles: '検索するファイルがありません。先に追加してください。',
    noneReady: '検索可能なファイルはまだありません。',
    pending: (count: number) =>
      `${files(count)}を読み取り中です。少し待ってから再試行してください。`,
    failed: (count: number) => `${files(count)}を読み取れませんでした。`,
    showFailed: '表示',
    elsewhere: '別のナレッジベースに、この質問に合う抜粋があります:',
    rephrase:
      '質問でドキュメントの言葉を使うか、答えになるはずのドキュメントに質問の言葉を追加してください。',
  },
}
