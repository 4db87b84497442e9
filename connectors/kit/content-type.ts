export function isJson(contentType: string): boolean {
  return /^(?:application\/(?:[\w.-]+\+|x-)?json|text\/(?:x-)?json)\b/i.test(contentType)
}

export function isHtml(contentType: string): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType)
}

/** Prefixes that keep other sites from running JSON as a script: `)]}'`, `for(;;);`, `while(1);` */
const guard = /^\)\]\}'?,?|^for\s*\(;;\);|^while\s*\((?:1|true)\);|^throw 1;\s*(?:<[^<>\n]*>)?|^\{\}\s*&&|^&&&START&&&/

/** Whether a body of another content type is still a JSON object or list; a bare word is not. */
export function isLikeJson(text: string): boolean {
  return /^[{[]/.test(unguarded(text))
}

/** A body without such a prefix and without leading spaces. */
export function unguarded(text: string): string {
  return text.trimStart().replace(guard, '').trimStart()
}
