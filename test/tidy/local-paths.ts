// Finds paths that mean something on one contributor's machine only. A stranger's checkout has none
// of them, so a link, a comment or a script that names one is broken from the first day.

import type { Rule } from './violation.ts'

const localPath = /\/(?:work|Users)\/|\.\.\/shared/

export const checkLocalPaths: Rule = (path, text) =>
  text.split('\n').flatMap((content, index) => {
    const found = localPath.exec(content)?.[0]
    if (found === undefined) return []
    const message = `local-paths: "${found}" is of one machine; write a path from the root.`
    return [{ path, line: index + 1, message }]
  })
