@NullMarked
package dev.cairn.dashboard.web;

import org.jspecify.annotations.NullMarked;
