globalThis.__surehand = {
  observe, changes, focus, begin, aimed, hoverSettled, scrollSum, scrollSettled, readBack, clear, clearedField, frame, spotAt,
  markProbe, readProbe, hitNode, focusNode, focusMaybeClosed, adopt, holdNative, selectFacts, chooseOptions, chosen, setPicked,
  pickedValue, drawHand, eraseHand, nativeFacts, dragsBegan, unexaminedNode, fileCount, selectEditable, sight, keyDeed, dropAt,
  secretField, typeSecret, shownSecrets, structure, matching, tables, named, around, aroundFocus,
  keepsake, takeUp,
};
