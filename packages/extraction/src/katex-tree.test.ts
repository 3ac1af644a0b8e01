import { expect, test } from 'vitest'
import { htmlBlocks } from './html/html.ts'

// Markup of KaTeX 0.19 without MathML, without the styles that have no effect on text.
test.each([
  [
    '(a+b)/2',
    '<span class="katex-display"><span class="katex"><span class="katex-html"><span class="katex-base"><span class="katex-strut"></span><span class="mord"><span class="mopen nulldelimiter"></span><span class="mfrac"><span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist"><span style="top:-2.314em"><span class="pstrut"></span><span class="mord"><span class="mord">2</span></span></span><span style="top:-3.23em"><span class="pstrut"></span><span class="frac-line"></span></span><span style="top:-3.677em"><span class="pstrut"></span><span class="mord"><span class="mord mathnormal">a</span><span class="mspace"></span><span class="mbin">+</span><span class="mspace"></span><span class="mord mathnormal">b</span></span></span></span><span class="vlist-s">\u200b</span></span><span class="vlist-r"><span class="vlist"><span></span></span></span></span></span><span class="mclose nulldelimiter"></span></span></span></span></span></span>',
  ],
  [
    '1 1/2',
    '<span class="katex-display"><span class="katex"><span class="katex-html"><span class="katex-base"><span class="katex-strut"></span><span class="mord">1</span><span class="mord"><span class="mopen nulldelimiter"></span><span class="mfrac"><span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist"><span style="top:-2.314em"><span class="pstrut"></span><span class="mord"><span class="mord">2</span></span></span><span style="top:-3.23em"><span class="pstrut"></span><span class="frac-line"></span></span><span style="top:-3.677em"><span class="pstrut"></span><span class="mord"><span class="mord">1</span></span></span></span><span class="vlist-s">\u200b</span></span><span class="vlist-r"><span class="vlist"><span></span></span></span></span></span><span class="mclose nulldelimiter"></span></span></span></span></span></span>',
  ],
  [
    '27^(1/3)',
    '<span class="katex-display"><span class="katex"><span class="katex-html"><span class="katex-base"><span class="katex-strut"></span><span class="mord sqrt"><span class="katex-root"><span class="vlist-t"><span class="vlist-r"><span class="vlist"><span style="top:-3.0233em"><span class="pstrut"></span><span class="katex-sizing reset-size6 size1 mtight"><span class="mord mtight"><span class="mord mtight">3</span></span></span></span></span></span></span></span><span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist"><span class="svg-align" style="top:-3em"><span class="pstrut"></span><span class="mord"><span class="mord">27</span></span></span><span style="top:-2.9161em"><span class="pstrut"></span><span class="hide-tail"></span></span></span><span class="vlist-s">\u200b</span></span><span class="vlist-r"><span class="vlist"><span></span></span></span></span></span></span></span></span></span>',
  ],
  [
    'x^2+y_1^(n+1)',
    '<span class="katex-display"><span class="katex"><span class="katex-html"><span class="katex-base"><span class="katex-strut"></span><span class="mord"><span class="mord mathnormal">x</span><span class="msupsub"><span class="vlist-t"><span class="vlist-r"><span class="vlist"><span style="top:-3.113em"><span class="pstrut"></span><span class="katex-sizing reset-size6 size3 mtight"><span class="mord mtight">2</span></span></span></span></span></span></span></span><span class="mspace"></span><span class="mbin">+</span><span class="mspace"></span></span><span class="katex-base"><span class="katex-strut"></span><span class="mord"><span class="mord mathnormal">y</span><span class="msupsub"><span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist"><span style="top:-2.4436em"><span class="pstrut"></span><span class="katex-sizing reset-size6 size3 mtight"><span class="mord mtight">1</span></span></span><span style="top:-3.113em"><span class="pstrut"></span><span class="katex-sizing reset-size6 size3 mtight"><span class="mord mtight"><span class="mord mathnormal mtight">n</span><span class="mbin mtight">+</span><span class="mord mtight">1</span></span></span></span></span><span class="vlist-s">\u200b</span></span><span class="vlist-r"><span class="vlist"><span></span></span></span></span></span></span></span></span></span></span>',
  ],
  [
    '∑_(i=1)^n i',
    '<span class="katex-display"><span class="katex"><span class="katex-html"><span class="katex-base"><span class="katex-strut"></span><span class="mop op-limits"><span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist"><span style="top:-1.8723em"><span class="pstrut"></span><span class="katex-sizing reset-size6 size3 mtight"><span class="mord mtight"><span class="mord mathnormal mtight">i</span><span class="mrel mtight">=</span><span class="mord mtight">1</span></span></span></span><span style="top:-3.05em"><span class="pstrut"></span><span><span class="mop op-symbol large-op">∑</span></span></span><span style="top:-4.3em"><span class="pstrut"></span><span class="katex-sizing reset-size6 size3 mtight"><span class="mord mathnormal mtight">n</span></span></span></span><span class="vlist-s">\u200b</span></span><span class="vlist-r"><span class="vlist"><span></span></span></span></span></span><span class="mspace"></span><span class="mord mathnormal">i</span></span></span></span></span>',
  ],
  [
    '10^(−6)',
    '<span class="katex-display"><span class="katex"><span class="katex-html"><span class="katex-base"><span class="katex-strut"></span><span class="mord">1</span><span class="mord"><span class="mord">0</span><span class="msupsub"><span class="vlist-t"><span class="vlist-r"><span class="vlist"><span style="top:-3.113em"><span class="pstrut"></span><span class="katex-sizing reset-size6 size3 mtight"><span class="mord mtight"><span class="mord mtight">−</span><span class="mord mtight">6</span></span></span></span></span></span></span></span></span></span></span></span></span>',
  ],
  [
    '(a, b; c, d)',
    '<span class="katex-display"><span class="katex"><span class="katex-html"><span class="katex-base"><span class="katex-strut"></span><span class="minner"><span class="mopen delimcenter" style="top:0em"><span class="delimsizing size3">(</span></span><span class="mord"><span class="mtable"><span class="col-align-c"><span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist"><span style="top:-3.61em"><span class="pstrut"></span><span class="mord"><span class="mord mathnormal">a</span></span></span><span style="top:-2.41em"><span class="pstrut"></span><span class="mord"><span class="mord mathnormal">c</span></span></span></span><span class="vlist-s">\u200b</span></span><span class="vlist-r"><span class="vlist"><span></span></span></span></span></span><span class="arraycolsep"></span><span class="arraycolsep"></span><span class="col-align-c"><span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist"><span style="top:-3.61em"><span class="pstrut"></span><span class="mord"><span class="mord mathnormal">b</span></span></span><span style="top:-2.41em"><span class="pstrut"></span><span class="mord"><span class="mord mathnormal">d</span></span></span></span><span class="vlist-s">\u200b</span></span><span class="vlist-r"><span class="vlist"><span></span></span></span></span></span></span></span><span class="mclose delimcenter" style="top:0em"><span class="delimsizing size3">)</span></span></span></span></span></span></span>',
  ],
  [
    'a≠b',
    '<span class="katex-display"><span class="katex"><span class="katex-html">' +
      '<span class="katex-base"><span class="katex-strut"></span>' +
      '<span class="mord mathnormal">a</span><span class="mspace"></span><span class="mrel">' +
      '<span class="mrel"><span class="mord katex-vbox"><span class="katex-thinbox">' +
      '<span class="rlap"><span class="katex-strut"></span><span class="katex-inner">' +
      '<span class="mord"><span class="mrel">\ue020</span></span></span>' +
      '<span class="katex-fix"></span></span></span></span></span><span class="mspace nobreak"></span>' +
      '<span class="mrel">=</span></span><span class="mspace"></span></span><span class="katex-base">' +
      '<span class="katex-strut"></span>' +
      '<span class="mord mathnormal">b</span></span></span></span></span>',
  ],
  [
    'x̂AB',
    '<span class="katex-display"><span class="katex"><span class="katex-html"><span class="katex-base"><span class="katex-strut"></span><span class="mord katex-accent"><span class="vlist-t"><span class="vlist-r"><span class="vlist"><span style="top:-3em"><span class="pstrut"></span><span class="mord mathnormal">x</span></span><span style="top:-3em"><span class="pstrut"></span><span class="accent-body"><span class="mord">^</span></span></span></span></span></span></span><span class="mord katex-overline"><span class="vlist-t"><span class="vlist-r"><span class="vlist"><span style="top:-3em"><span class="pstrut"></span><span class="mord"><span class="mord mathnormal">A</span><span class="mord mathnormal">B</span></span></span><span style="top:-3.8033em"><span class="pstrut"></span><span class="overline-line"></span></span></span></span></span></span></span></span></span></span>',
  ],
  [
    '√(x+1)',
    '<span class="katex-display"><span class="katex"><span class="katex-html"><span class="katex-base"><span class="katex-strut"></span><span class="mord sqrt"><span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist"><span class="svg-align" style="top:-3em"><span class="pstrut"></span><span class="mord"><span class="mord mathnormal">x</span><span class="mspace"></span><span class="mbin">+</span><span class="mspace"></span><span class="mord">1</span></span></span><span style="top:-2.8744em"><span class="pstrut"></span><span class="hide-tail"></span></span></span><span class="vlist-s">\u200b</span></span><span class="vlist-r"><span class="vlist"><span></span></span></span></span></span></span></span></span></span>',
  ],
  [
    'H_2O',
    '<span class="katex-display"><span class="katex"><span class="katex-html"><span class="katex-base"><span class="katex-strut"></span><span class="mord"><span class="mord mathnormal">H</span><span class="msupsub"><span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist"><span style="top:-2.55em"><span class="pstrut"></span><span class="katex-sizing reset-size6 size3 mtight"><span class="mord mtight">2</span></span></span></span><span class="vlist-s">\u200b</span></span><span class="vlist-r"><span class="vlist"><span></span></span></span></span></span></span><span class="mord mathnormal">O</span></span></span></span></span>',
  ],
])('reads the formula %s that KaTeX draws', (text, markup) => {
  const html = `<p>y = ${markup}.</p>`
  expect(htmlBlocks(html).map((block) => block.text)).toEqual([`y = ${text}.`])
  // Before version 0.17, the names have no prefix.
  const earlier = html.replaceAll(/katex-(?!html|display)/g, '')
  expect(htmlBlocks(earlier).map((block) => block.text)).toEqual([`y = ${text}.`])
})
