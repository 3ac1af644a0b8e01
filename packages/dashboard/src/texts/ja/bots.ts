import type { bots as English } from '../en/bots.ts'
import { amount } from './amount.ts'

export const bots: typeof English = {
  title: 'ボット',
  create: 'ボットを作成',
  empty: 'ボットはまだありません',
  emptyHint: 'サンプルから始めるか、自分のファイルから作成してください。',
  emptyViewer: 'このワークスペースのボットがここに表示されます。',
  search: '名前で検索',
  nothingFound: '該当するボットはありません',
  nothingFoundHint: '名前の別の部分で検索してください。',
  dev: '開発用',
  blocked: 'ブロック中',
  activity: (messages: number, pending: number) =>
    `今日のメッセージ${amount(messages)}、待機中${amount(pending)}`,
  name: '名前',
  health: '稼働状況',
  pending: '待機中',
  pendingHint: 'ボットの処理を待っている配信',
  today: '今日のメッセージ',
  deployed: 'デプロイ',
  neverDeployed: '未デプロイ',
  healths: {
    ok: '正常',
    degraded: '失敗あり',
    failing: '異常',
    undeployed: '未デプロイ',
  },
  mended: 'デプロイ後の失敗なし',
  broken: 'コードを読み込めません',
  deadLetters: (count: number) => `失敗${amount(count)}`,
  issues: (count: number) => `未解決の問題${amount(count)}`,
  newBot: {
    title: 'ボットを作成',
    name: '名前',
    namePlaceholder: 'サポート',
    from: '作成方法',
    sources: {
      example: 'サンプル',
      files: 'ボットのファイル',
      builder: '他社のツール',
      archive: 'アーカイブ',
      scratch: 'ゼロから',
      empty: '空のボット',
    },
    scratchHint:
      'あいさつだけをするボットです。質問と回答は「フロー」ページで追加できます。プログラミングは不要です。',
    greeting: 'こんにちは。ご用件をお聞かせください。',
    emptyHint:
      '開発者向け: ここかコマンドラインからコードをデプロイするまで、何もしないボットです。',
    isArchive: (file: string) => `「${file}」はワークスペースのアーカイブです`,
    isArchiveHint: '運用者がこのページの「アーカイブ」からインポートします。',
    atUrl:
      '開発者向け: 自分のサーバーで動くボットを追加するには、`url`を指定してAPIの`createBot`を呼び出します。',
    atUrlLink: '外部URLのボット',
    missing: '定義ファイルに含まれていない項目があります',
    setSecrets: (names: string[]) =>
      `次のシークレットを設定してください: ${names.join('、')}。`,
    configure: (aliases: string[]) =>
      `次の連携を設定して有効にしてください: ${aliases.join('、')}。`,
    created: (name: string) => `「${name}」を作成しました`,
    createdBroken: (name: string) =>
      `「${name}」を作成しましたが、コードを読み込めません`,
  },
  builders: {
    drop: 'エクスポートしたファイルをここにドロップ',
    hint: 'Typebot、Dify、Flowise、Voiceflow、Botpress 12、OpenAIのAgent Builderのボットに対応しています。',
    docs: 'エクスポートの方法',
    choose: '先にファイルを選択してください',
    empty: (file: string) =>
      `「${file}」は空です。ボットをもう一度エクスポートしてください`,
    tooLarge: (file: string) => `「${file}」は10 MBを超えています`,
    report: 'レポート',
    parts: 'ボットの構成要素',
    result: '結果',
    part: '要素',
    note: '違い、または次の作業',
    results: { carried: '移行済み', changed: '違いあり', omitted: '移行なし' },
    found: (source: string, { carried, changed, omitted }: Record<string, number>) =>
      `${source}: 移行済み${carried}件、違いあり${changed}件、移行なし${omitted}件。`,
    more: (count: number) => `ほか${amount(count)}。`,
    secrets: '設定が必要なシークレット',
    knowledge: 'アップロードが必要なドキュメント',
    remarks: 'ご注意',
    save: (path: string) => `「${path}」を保存`,
    name: '名前',
    create: '下書きを作成',
    created: (name: string) => `「${name}」を下書きとして作成しました`,
  },
  archive: {
    drop: 'アーカイブをここにドロップ',
    hint:
      '「アーカイブ」ページまたはexportコマンドで作成したファイルです。ワークスペースと、その中のすべての' +
      'ボットが入っています。',
    passphrase: 'パスフレーズ',
    passphraseHint:
      'アーカイブのパスフレーズです。シークレットを含まないアーカイブでは空欄にしてください。',
    import: 'インポート',
    progress: 'サーバーへ送信済み',
    tooLarge: 'アーカイブがプロキシの上限を超えています',
    interrupted: 'アーカイブの送信中に接続が切れました',
    tooLargeHint:
      'サーバーの前段のプロキシが、本文のサイズを制限している可能性があります。上限を上げるか、サーバーの' +
      'マシンでアーカイブをインポートしてください: `npm run botstead -- import <archive>`',
    checking: 'サーバーがアーカイブを検査し、内容を保存しています…',
    done: (workspace: string, rows: number) =>
      `「${workspace}」をインポートしました（${amount(rows, '行')}）`,
    signer: (signer: string) => `署名者: ${signer}`,
    noSecrets:
      'アーカイブにシークレットは含まれていません。ボットと連携のシークレット、インストール済みの連携の設定を' +
      '入力してください。',
    open: 'ワークスペースを開く',
    notMember:
      'このワークスペースのメンバーではないため、開けません。メンバーには、サインインすると表示されます。',
  },
  examples: {
    create: '作成',
    createNamed: (title: string) => `「${title}」を作成`,
    needsModel: 'モデルが必要',
    noModel: 'モデルが設定されていません。オーナーがサーバー設定で追加できます。',
  },
  files: {
    drop: 'ボットをここにドロップ',
    hint:
      'bot.jsonまたはbot.yaml、それとコードの入ったフォルダー、またはバンドル（関数handlerをエクスポート' +
      'する.cjsか.jsファイル）。',
    sdkHint:
      '@botpress/sdkのプロジェクトでは、公式のコマンドラインで`bp build`を実行してから、' +
      '`.botpress/dist/index.cjs`を選択してください。',
    examples: 'サンプルをダウンロード:',
    exampleFiles: {
      document: (size: string) => `bot.json${size && `（${size}）`}`,
      bundle: (size: string) => `バンドル${size && `（${size}）`}`,
    },
    bundle: (size: string) => `バンドル、${size}`,
    document: 'ボット定義ファイル',
    codeFiles: (count: number) => `（コードファイル${amount(count, '個')}を含む）`,
    none: '選択したファイルにボットがありません',
    noneHint: 'bot.json、bot.yaml、またはバンドルを選択してください。',
    several: 'ボットが複数あります。1つを選択してください。',
    notDocument: (file: string) => `「${file}」はボット定義ファイルではありません`,
    invalid: (file: string) => `「${file}」を読み取れません`,
    tooLarge: (file: string) => `「${file}」は50 MBを超えています`,
    problems: (file: string, count: number) =>
      `「${file}」にエラーが${amount(count)}あります`,
    correct: 'このままではデプロイできません。修正して、もう一度選択してください。',
    correctPartly:
      'このままではデプロイできません。修正して、もう一度選択してください。ほかにもエラーが見つかる可能性があります。',
    warnings: (file: string, count: number) =>
      `「${file}」に警告が${amount(count)}あります`,
    warningsHint: '誤りの可能性がありますが、デプロイはできます。',
  },
  delete: {
    title: (name: string) => `「${name}」を削除`,
    text: 'このボットの会話、ユーザー、ファイル、テーブルも削除されます。元に戻せません。',
    button: 'ボットを削除',
    done: (name: string) => `「${name}」を削除しました`,
  },
  transfer: {
    title: '別のワークスペースへ移管',
    target: 'ワークスペース',
    text: '会話、ファイル、テーブルもボットと一緒に移ります。このワークスペースのメンバーはアクセスできなくなります。',
    button: '移管',
    done: 'ボットを移管しました',
    noTarget: 'ボットを作成できるワークスペースがほかにありません。',
  },
}
