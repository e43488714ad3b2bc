// Renders text within a block: code, links, images and emphasis.

export type LinkTo = (href: string) => Link

/** What a link leads to: a page, or a file that is only in the source and is not linked. */
export type Link = { readonly href: string } | { readonly sourcePath: string }

export type InlineContext = {
  readonly linkTo: LinkTo
  /** Targets of links such as [text][name]. */
  readonly targets: ReadonlyMap<string, string>
}

// In the order in which they are tried at each position.
const tokens = new RegExp(
  [
    /(?<ticks>`+)(?<code>.+?)\k<ticks>(?!`)/.source,
    /\\(?<escaped>[\\`*_[\]|<>])/.source,
    /!\[(?<alt>[^\]]*)\]\((?<image>[^\s)]+)\)/.source,
    /\[(?<label>(?:`[^`]*`|[^\]`])+)\](?:\((?<href>[^\s)]+)\)|\[(?<name>[^\]]+)\])?/.source,
    /\*\*(?<strong>.+?)\*\*/.source,
    /(?<![\w*])\*(?<em>[^*\s][^*]*?)\*(?![\w*])/.source,
  ].join('|'),
  'gs',
)

export function renderInline(text: string, context: InlineContext): string {
  let html = ''
  let end = 0
  for (const found of text.matchAll(tokens)) {
    html += escapeHtml(text.slice(end, found.index)) + renderToken(found, context)
    end = found.index + found[0].length
  }
  return html + escapeHtml(text.slice(end))
}

function renderToken({ 0: whole, groups = {} }: RegExpExecArray, context: InlineContext): string {
  const { code, escaped, alt, image, label, strong, em } = groups
  if (code !== undefined) return `<code>${escapeHtml(code.trim())}</code>`
  if (escaped !== undefined) return escapeHtml(escaped)
  if (image !== undefined) return renderImage(alt ?? '', context.linkTo(image))
  if (label !== undefined) return renderLink(whole, label, groups, context)
  if (strong !== undefined) return `<strong>${renderInline(strong, context)}</strong>`
  return `<em>${renderInline(em ?? '', context)}</em>`
}

function renderLink(
  whole: string,
  label: string,
  { href, name }: Readonly<Record<string, string | undefined>>,
  context: InlineContext,
): string {
  const to = href ?? context.targets.get(name ?? label.replace(/\s+/g, ' '))
  if (to === undefined) {
    if (name !== undefined) throw new Error(`[${label}][${name}] has no target`)
    return escapeHtml(whole[0]!) + renderInline(whole.slice(1), context)
  }
  const inner = renderInline(label, context)
  const link = context.linkTo(to)
  if ('sourcePath' in link) {
    return `<span class="source" title="${escapeHtml(link.sourcePath)}">${inner}</span>`
  }
  return `<a href="${escapeHtml(link.href)}">${inner}</a>`
}

function renderImage(alt: string, link: Link): string {
  if (!('href' in link)) throw new Error(`the image ${link.sourcePath} is not part of the guide`)
  return `<img src="${escapeHtml(link.href)}" alt="${escapeHtml(alt)}">`
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** The text as a reader sees it, without marks. */
export function plainText(text: string): string {
  return text
    .replace(/!?\[((?:`[^`]*`|[^\]`])+)\](?:\([^\s)]+\)|\[[^\]]+\])?/gs, '$1')
    .replace(/\*\*|`/g, '')
    .replace(/\\([\\`*_[\]|<>])/g, '$1')
    .replace(/\s+/g, ' ')
}
