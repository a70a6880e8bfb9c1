import ts from 'typescript';

/** Operators that lose, replay or re-order work, or cost quadratic time with thousands of inner streams. */
const operators = new Set([
  'switchMap',
  'exhaustMap',
  'shareReplay',
  'partition',
  'groupBy',
  'mergeMap',
  'concatMap',
]);
/** Time and the world: they come from the scheduler, or not at all. */
const globals = new Set([
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'Date',
  'performance',
  'process',
  'AbortController',
  'AbortSignal',
]);
const subjects = new Set(['Subject', 'BehaviorSubject', 'ReplaySubject', 'AsyncSubject']);
/** What the one room that lets promises and signals in may use. */
const atTheDoor = new Set(['Promise', 'async', 'await', 'AbortController', 'AbortSignal']);

/** What a file of the core holds that is banned there, each as `line: what`. */
export const banned = (path: string, text: string): readonly string[] => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    for (const what of bansOf(node)) {
      if (path.startsWith('src/interop/') && atTheDoor.has(what)) continue;
      found.push(`${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}: ${what}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};

function* bansOf(node: ts.Node): Generator<string> {
  if (ts.isImportSpecifier(node) && isFromRxjs(node)) {
    const name = (node.propertyName ?? node.name).text;
    if (operators.has(name)) yield name;
  }
  if (ts.isNamespaceImport(node) && isFromRxjs(node)) yield 'import * of rxjs';
  if (ts.isIdentifier(node) && globals.has(node.text) && isValue(node)) yield node.text;
  if (ts.isIdentifier(node) && node.text === 'Promise' && isUsedAsFactory(node)) yield 'Promise';
  if (node.kind === ts.SyntaxKind.AsyncKeyword) yield 'async';
  if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) yield 'await';
  if (node.kind === ts.SyntaxKind.AnyKeyword) yield 'any';
  if (ts.isEnumDeclaration(node)) yield 'enum';
  if (isDefaultExport(node)) yield 'default export';
  if (isOpenSubject(node)) yield 'Subject that is not private';
}

const isFromRxjs = (node: ts.Node): boolean => {
  const declaration = ts.findAncestor(node, ts.isImportDeclaration);
  return declaration !== undefined && /^rxjs\b/.test((declaration.moduleSpecifier as ts.StringLiteral).text);
};

/** Whether an identifier is read as a value of the surroundings: no member, no name of something, no type. */
const isValue = (node: ts.Identifier): boolean => {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    return ts.isIdentifier(parent.expression) && parent.expression.text === 'globalThis';
  }
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  const named = (parent as { readonly name?: ts.Node }).name;
  if (named === node || ts.isImportSpecifier(parent) || ts.isBindingElement(parent)) return false;
  return !ts.isPartOfTypeNode(node);
};

const isUsedAsFactory = ({ parent }: ts.Identifier): boolean =>
  ts.isNewExpression(parent) || ts.isPropertyAccessExpression(parent);

const isDefaultExport = (node: ts.Node): boolean =>
  (ts.isExportAssignment(node) && node.isExportEquals !== true) ||
  node.kind === ts.SyntaxKind.DefaultKeyword ||
  (ts.isExportSpecifier(node) && node.name.text === 'default');

/** Made where others can reach it, or inherited from: whoever holds a Subject can emit on it. */
const isOpenSubject = (node: ts.Node): boolean => {
  if (ts.isExpressionWithTypeArguments(node) && ts.isHeritageClause(node.parent))
    return subjects.has(node.expression.getText());
  if (!ts.isNewExpression(node) || !subjects.has(node.expression.getText())) return false;
  const { parent } = node;
  if (ts.isPropertyDeclaration(parent)) {
    return (
      !ts.isPrivateIdentifier(parent.name) &&
      parent.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) !== true
    );
  }
  if (ts.isBinaryExpression(parent)) {
    return !(ts.isPropertyAccessExpression(parent.left) && ts.isPrivateIdentifier(parent.left.name));
  }
  if (!ts.isVariableDeclaration(parent)) return true;
  const statement = ts.findAncestor(parent, ts.isVariableStatement);
  return statement?.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
};

// Written in parts, or this file would be the first to be found.
const machinePaths = new RegExp(`(?:^|[^\\w.])/${'work'}/|/tmp/${'bash_jobs'}|\\.\\./${'shared'}\\b`);
const registries =
  /\bregistry(?:\.[\w-]+)*\.(?:org|com|net|io|dev|cloud|local|internal)\b|:\/\/[^/\s]*\b(?:npm|artifactory|nexus)\b/i;

/** Lines that name a path of one machine, or a host that packages come from. */
export const machineLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line, index) => `${index + 1}: ${line.trim().slice(0, 100)}`)
    .filter((line) => machinePaths.test(line) || registries.test(line));

/** Tests that are left out, or that leave all others out, without a reason behind them in the same line. */
export const silencedTests = (path: string, text: string): readonly string[] => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const lines = text.split('\n');
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isPropertyAccessExpression(node) &&
      /^(only|skip|todo|fails)$/.test(node.name.text) &&
      /^(it|test|describe|suite|marbles)\b/.test(node.expression.getText(file))
    ) {
      const { line } = file.getLineAndCharacterOfPosition(node.name.getStart(file));
      if (!/\/\/ \S/.test(lines[line] ?? '')) found.push(`${path}:${line + 1}: .${node.name.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};

/** Lines that hold code: no blank ones, none that is all comment. */
export const codeLines = (text: string): number =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .filter((line) => /\S/.test(line) && !/^\s*\/\//.test(line)).length;
